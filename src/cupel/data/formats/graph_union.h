// From the graphs of a file, one after another, to the union that a set of graphs is held in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupel/data/dataset.h"
#include "cupel/data/formats/npy.h"
#include "cupel/data/graph/graph.h"

namespace cupel {

// Rows of an edge file, in its order, graph after graph.
struct EdgeRows {
  std::vector<Index> start;            // graphs + 1: first node of each graph in the union
  std::vector<Offset> row_start;       // graphs + 1: first row of each graph
  std::vector<Edge> rows;              // nodes of the union, both in the graph of the row
  const Matrix* attributes = nullptr;  // rows x any, or none
};

// Sets adjacency, repeated_arcs, graphs and its arc attributes; node attributes without a column,
// features without a column. A row {i, j} stands for both arcs, as the files of OGB (which have one
// or both) and molecules mean it: the arc i -> j has the attributes of the first row {i, j}, or
// where there is none of the first row {j, i}. Self-loops go. Repeated arcs are rows of the same
// direction beyond the first. Throws Error naming `where` if there are too many arcs.
void set_graphs(Dataset& dataset, const EdgeRows& edges, const std::string& where);

// Numbers of one or two axes, a row for each graph, in which NaN stands for "not known". Throws
// Error naming the array and the value.
[[nodiscard]] Matrix label_table(NpyArray labels);

// Labels of graphs from a table of one row per graph (NaN: not known).
// One column without NaN: whole numbers, which become classes in ascending order, named by value.
// Else every column is a task of 0, 1 and NaN; see Dataset::tasks.
// Throws Error naming `where`, row and column of a value that is none of these.
void set_graph_labels(Dataset& dataset, const Matrix& table, const std::string& where);

}  // namespace cupel
