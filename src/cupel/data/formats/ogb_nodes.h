// One graph whose nodes are classified, as OGB stores it (Hu et al., "Open Graph Benchmark", 2020):
// the folder that a data set's archive unpacks to.
//
//   raw/num-node-list.csv.gz   one line: how many nodes
//   raw/edge.csv.gz            two nodes, from 0
//   raw/node-feat.csv.gz       per node: numbers                                     (optional)
//   raw/node-label.csv.gz      per node: its class, or nan
//   split/SCHEME/{train,valid,test}.csv.gz   numbers of nodes, from 0                (optional)
//   split/SCHEME.npz           masks, as in ogb_dataset.h                            (optional)
// Each file may also lie there unpacked, as NAME.csv. Other files are not read.
#pragma once

#include <filesystem>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Whether the folder has raw/node-label.csv.gz or raw/node-label.csv.
[[nodiscard]] bool is_ogb_node_folder(const std::filesystem::path& folder);

// The data set as stored: one arc for each row of edge.csv.gz. Without node-feat.csv.gz the
// features are the unit matrix. Throws Error naming file, line and value.
[[nodiscard]] Dataset read_ogb_nodes(const std::filesystem::path& folder,
                                     ReadMode mode = ReadMode::kForUse);

}  // namespace cupel
