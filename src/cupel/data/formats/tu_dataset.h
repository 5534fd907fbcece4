// Sets of graphs in the text format of the TU Dortmund collection (C. Morris, N. M. Kriege, F.
// Bause, K. Kersting, P. Mutzel, M. Neumann: TUDataset, 2020; https://chrsmrrs.github.io/datasets).
//
// One line for each thing, fields with commas between them, numbers of nodes and graphs from 1:
//   PREFIX_A.txt                two nodes: an arc
//   PREFIX_graph_indicator.txt  per node: its graph
//   PREFIX_graph_labels.txt     per graph: its class, any whole number; or several fields, or nan:
//                               binary tasks (0, 1, nan or nothing)
//   PREFIX_node_labels.txt      per node: one or more whole numbers                      (optional)
//   PREFIX_edge_labels.txt      per line of PREFIX_A.txt: one or more whole numbers      (optional)
//   PREFIX_node_attributes.txt  per node: finite numbers                                 (optional)
//   PREFIX_edge_attributes.txt  per line of PREFIX_A.txt: finite numbers                 (optional)
//   PREFIX_scaffold_{train,valid,test}.txt  graphs, numbered from 0: a stored split      (optional;
//                               beside the archive where the others are in one)
// Blanks around fields, CR LF, a missing last line feed and empty lines at the end are allowed.
#pragma once

#include "cupel/data/dataset.h"
#include "cupel/data/formats/read_mode.h"
#include "cupel/data/formats/tu_text.h"

namespace cupel {

// The graphs become simple and undirected: directions and repeated lines of an edge merge
// (Dataset::repeated_arcs counts lines that repeat a direction), lines from a node to itself are
// left out (GraphSet::dropped_loops). Graphs without nodes or edges and isolated nodes stay.
// Nodes keep the order of the file; where the nodes of a graph are not together, or graphs are not
// in order, they are brought together, each graph's in the order of the file.
//
// Node labels are one-hot over the values that occur, ascending, label column after label column.
// Arc attributes are the edge labels, one-hot in the same way, then the edge attributes: an arc has
// those of the first line that gives it in its direction, else of the first that gives its reverse.
// Classes are the values that occur, ascending.
//
// Time is linear in the bytes; memory beyond the result is about that of the arcs.
// Throws Error naming file, line and value.
[[nodiscard]] Dataset read_tu_dataset(const TuFiles& files, ReadMode mode = ReadMode::kForUse);

// What else these files say and a data set does not hold, one phrase each: values of node labels
// that are not 0, 1, ..., and that attributes of edges were labels.
[[nodiscard]] std::vector<std::string> tu_left_out(const TuFiles& files);

}  // namespace cupel
