// The splits of a data set of OGB; ogb_dataset.h describes the files.
#pragma once

#include <filesystem>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Of every scheme in `folder`, by name; none if there is no such folder. Parts ascend, whatever
// the order in the files. Throws Error naming file, line and value for what is no example of the
// data set; `example` is "graph" or "node".
[[nodiscard]] std::vector<Split> read_ogb_splits(const std::filesystem::path& folder,
                                                 Index examples, const char* example);

// FOLDER/STEM.csv.gz, or FOLDER/STEM.csv if only that is there.
[[nodiscard]] std::filesystem::path ogb_table(const std::filesystem::path& folder,
                                              const std::string& stem);

}  // namespace cupel
