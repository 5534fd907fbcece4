// A set of graphs as graph kernels read it, and the labels of its nodes and arcs.
#pragma once

#include <span>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Block-diagonal union of graphs; a view. Arcs are symmetric, and so are their labels; without
// repeats and self-loops.
struct LabelledGraphs {
  const Csr& adjacency;                // nodes x nodes
  std::span<const Index> start;        // graphs + 1: graph g has nodes [start[g], start[g + 1])
  std::span<const Index> node_labels;  // one per node, or empty: all alike
  std::span<const Index> arc_labels;   // one per entry of the adjacency, or empty: all alike

  Index size() const { return static_cast<Index>(start.size()) - 1; }
  Index label(Index node) const { return node_labels.empty() ? 0 : node_labels[node]; }
};

// Rows numbered by what they hold: equal rows, and no others, get equal numbers, in the order of
// their first one, from 0. One-hot rows give the labels that they stand for.
[[nodiscard]] std::vector<Index> distinct_rows(const Features& rows);
[[nodiscard]] std::vector<Index> distinct_rows(const Matrix& rows);

}  // namespace cupel
