// Writing a graph as a folder of text files, see csv_graph.h.
#pragma once

#include <filesystem>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Writes edges.csv, features.csv (not where features are the unit matrix), splits.json (where
// splits are stored) and at last labels.csv, without which nothing takes the folder for a data set;
// the folder is made where it is not there (its parent must be). Nodes are named 0, 1, ...; numbers
// are in the shortest form that is read back exactly; weights have a column where an arc has
// another value than 1. Labels are the names of classes where reading numbers these the same way,
// else 0, 1,
// ... in the order of the classes.
//
// Reading the folder gives back the same content_hash where every class has a node and features are
// dense or the unit matrix.
void write_csv_graph(const Dataset& dataset, const std::filesystem::path& folder);

// The file splits.json of such a folder.
void write_splits(const std::vector<Split>& splits, const std::filesystem::path& path);

}  // namespace cupel
