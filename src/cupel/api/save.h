// A data set in another format, with all that its name or path says of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/export/graph_formats.h"

namespace cupel {

// write_dataset() of what load_any() gave for `name_or_path` ("": it came of nowhere), with credits
// and authorships. Returns what was lost: forms that the format does not hold, and files of the
// folder that was read. Throws Error as write_dataset() does.
std::vector<std::string> save_dataset(const Dataset& dataset, const std::string& name_or_path,
                                      const GraphFormat& format, const std::filesystem::path& path);

}  // namespace cupel
