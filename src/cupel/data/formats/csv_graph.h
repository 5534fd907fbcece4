// A user's own graph in text files: a folder with
//
//   edges.csv      source,target[,weight]    an arc per line
//   labels.csv     node,label                every node once; this order numbers the nodes; a node
//                                            without a label has nothing after the comma
//   features.csv   node,<name>,<name>,...    optional: every node once, in any order; numbers
//   splits.json    {"splits": [{"train": [...], "valid": [...], "test": [...]}]}   optional
//
// The first line of each csv is its header. Node names and labels may be any text; a field with a
// comma, a quote or a blank at its end stands in double quotes, a quote in it is doubled. Blank
// lines are skipped. Classes are numbered by ascending value if all labels are whole numbers, else
// by ascending text. Weights of repeated arcs are summed (a missing weight column counts as ones).
// Without features.csv every node's feature is its own identity: the nodes x nodes unit matrix,
// CSR. Splits list nodes by name (a JSON number names the node that is written like it).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"

namespace cupel {

// The data set as stored, named after the folder; an undirected graph may give each edge once, and
// preparation symmetrises. Throws Error naming file, line, value and way out.
[[nodiscard]] Dataset read_csv_graph(const std::filesystem::path& folder,
                                     ReadMode mode = ReadMode::kForUse);

// Names in such a folder that a data set does not hold: phrases as of NamesLeftOut.
[[nodiscard]] std::vector<std::string> csv_graph_left_out(const std::filesystem::path& folder);

}  // namespace cupel
