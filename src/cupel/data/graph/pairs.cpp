#include "cupel/data/graph/pairs.h"

#include <algorithm>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/graph/graph.h"

namespace cupel {

PairList pairs_of(const Csr& adjacency, bool directed) {
  PairList out;
  out.directed = directed;
  out.nodes = adjacency.rows;
  for (Index i = 0; i < adjacency.rows; ++i) {
    for (Offset e = adjacency.row_ptr[i]; e < adjacency.row_ptr[i + 1]; ++e) {
      const Index j = adjacency.columns[e];
      if (j == i)
        ++out.loops;
      else if (e > adjacency.row_ptr[i] && j == adjacency.columns[e - 1])
        ++out.repeats;
      else
        out.pairs.push_back(directed ? Pair{i, j} : Pair{std::min(i, j), std::max(i, j)});
    }
  }
  // Undirected links often stand in both directions; directed ones are in order as they come.
  if (!directed) {
    sort_unique(out.pairs);
  }
  constexpr std::size_t kMost = std::numeric_limits<Index>::max();
  if (out.pairs.size() > kMost)
    fail("the graph has {} links, and splits of links can number {}", out.pairs.size(), kMost);
  return out;
}

Csr arcs_of(std::span<const Pair> pairs, Index nodes, bool directed) {
  std::vector<Edge> edges;
  edges.reserve(pairs.size() * (directed ? 1 : 2));
  for (const Pair& pair : pairs) {
    edges.push_back({pair.source, pair.target});
    if (!directed) edges.push_back({pair.target, pair.source});
  }
  return from_edges(nodes, edges);
}

bool has_arc(const Csr& arcs, Pair pair) {
  const auto begin = arcs.columns.begin() + arcs.row_ptr[pair.source];
  const auto end = arcs.columns.begin() + arcs.row_ptr[pair.source + 1];
  return std::binary_search(begin, end, pair.target);
}

}  // namespace cupel
