// A data set in another format, with all that its name or path says of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/catalog/credits.h"
#include "cupel/data/dataset.h"
#include "cupel/data/export/graph_formats.h"

namespace cupel {

// write_dataset() of what was read at `origin`, with credits and authorships. Returns what was
// lost: forms that the format does not hold, and what was left behind where it was read
// (credits.h). Throws Error as write_dataset() does.
std::vector<std::string> save_dataset(const Dataset& dataset, const Origin& origin,
                                      const GraphFormat& format, const std::filesystem::path& path);

}  // namespace cupel
