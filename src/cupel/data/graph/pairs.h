// Pairs of nodes that questions about links are asked of.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Ordered by source, then target. Where direction means nothing, source < target.
struct Pair {
  Index source = 0, target = 0;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

// The links of a graph, each once. Ids of splits under the unit "pair" are places in `pairs`.
struct PairList {
  std::vector<Pair> pairs;  // ascending, distinct, no node with itself
  bool directed = false;
  Index nodes = 0;
  Offset loops = 0;    // entries from a node to itself, left out
  Offset repeats = 0;  // entries that say a pair again: of a multigraph, not the way back

  Index size() const { return static_cast<Index>(pairs.size()); }
};

// Undirected: {i, j} is a link if an entry joins them in either direction. Directed: (i, j) is one
// if there is an entry (i, j). Explicit zeros are entries. Throws Error if the graph has more than
// 2^31 - 1 pairs.
[[nodiscard]] PairList pairs_of(const Csr& adjacency, bool directed);

// The arcs that carry messages where `pairs` are known: a pattern, nodes x nodes, without loops, of
// both directions unless `directed`. Repeats merge.
[[nodiscard]] Csr arcs_of(std::span<const Pair> pairs, Index nodes, bool directed);

// Whether a pattern such as arcs_of() makes has the entry. Logarithmic in the row's length.
[[nodiscard]] bool has_arc(const Csr& arcs, Pair pair);

}  // namespace cupel
