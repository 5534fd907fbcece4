// Files of one data set that are no zip archive, told apart by what is in them or by their name.
#pragma once

#include <filesystem>
#include <functional>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// How to read the file; nothing if it is in no format that is known. Reading throws Error as
// read_dataset() does; so does asking, if the file cannot be read at all.
[[nodiscard]] std::function<Dataset(ReadMode)> plain_file_reader(const std::filesystem::path& path);

}  // namespace cupel
