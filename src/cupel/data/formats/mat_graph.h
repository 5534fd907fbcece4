// A graph in a MAT-file (mat_file.h), under the names that the files of attributed networks have:
//
//   adjacency   Network, A, adj, network, W: nodes x nodes; row i has the arcs from node i
//   classes     Label, labels, Y, gnd, class, group: nodes x 1 (or 1 x nodes) of whole numbers, -1
//               for none; or one-hot, nodes x classes, a row of zeros for none
//   features    Attributes, X, features, attrb, fea: nodes x features
// Names are compared without regard to case. Without features every node has its own, the unit
// matrix.
//
// The files of facebook100 (Traud et al. 2012) have A and local_info instead; they are read as Lim
// et al., "Large scale learning on non-homophilous graphs" (2021), do: the class is the second
// column, gender, with 0 for none; every other column is one-hot, one column of 0 and 1 where it
// has two values.
#pragma once

#include <filesystem>
#include <string>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// The data set as stored, named after the file. Throws Error naming the file, the variable and the
// way out.
// `label` is the name of another variable that holds the classes.
[[nodiscard]] Dataset read_mat_graph(const std::filesystem::path& path,
                                     ReadMode mode = ReadMode::kForUse,
                                     const std::string& label = "");

}  // namespace cupel
