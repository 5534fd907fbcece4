// Rows of arcs to a simple undirected graph.
#pragma once

#include <vector>

#include "cupel/data/graph/graph.h"

namespace cupel::tu {

struct SimpleGraph {
  Csr adjacency;  // a symmetric pattern without self-loops
  // Per entry (i, j): the first row that says i -> j, else the first that says j -> i. Empty unless
  // asked for.
  std::vector<Index> row_of;
  Offset repeats = 0;  // rows that say what an earlier row said
  Offset loops = 0;    // rows from a node to itself, left out
};

// Rows are numbered as they stand in `arcs`, which is given back to the system early. Linear time:
// entries are sorted by counting.
[[nodiscard]] SimpleGraph simple_graph(Index nodes, std::vector<Edge> arcs, bool with_rows);

}  // namespace cupel::tu
