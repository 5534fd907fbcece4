// A graph as two tables, as many sites offer it: a folder with
//
//   edges.csv   two columns of ids, and maybe "weight"; their names are source and target, src and
//               dst, from and to, u and v, or id1 and id2 (any case, with or without _)
//   nodes.csv   a column of ids (id, node, node_id or name), one of labels (label, class, target or
//               y), and features in all other columns, which hold numbers. Of several such names
//               the first that there is decides, and the others are features
//
// Fields and quotes are those of the text graph (csv_graph.h). Ids may be any text. The lines of
// nodes.csv number the nodes; a node without a label has nothing in its field. Without a column of
// features every node has its own, the unit matrix.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// Whether the folder has nodes.csv and edges.csv, and no labels.csv.
[[nodiscard]] bool is_table_graph(const std::filesystem::path& folder);

// The data set as stored, named after the folder: one arc for each line of edges.csv. Throws Error
// naming file, line, column and way out.
// `label` is the name of another column that holds the labels.
[[nodiscard]] Dataset read_table_graph(const std::filesystem::path& folder,
                                       ReadMode mode = ReadMode::kForUse,
                                       const std::string& label = "");

// Names in such a folder that a data set does not hold: phrases as of NamesLeftOut.
[[nodiscard]] std::vector<std::string> table_graph_left_out(const std::filesystem::path& folder,
                                                            const std::string& label = "");

}  // namespace cupel
