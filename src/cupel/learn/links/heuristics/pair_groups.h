// Pairs put together by one of their nodes.
#pragma once

#include <span>
#include <vector>

#include "cupel/data/graph/pairs.h"

namespace cupel {

// Which of a pair's nodes it is put down under.
enum class GroupBy { kSmaller, kSource, kTarget };

// Group g holds the pairs of node nodes[g]: places in the list, in its order.
struct PairGroups {
  std::vector<Index> nodes;        // ascending, each with at least one pair
  std::vector<std::size_t> start;  // groups + 1, into `places`
  std::vector<std::size_t> places;

  Index size() const { return static_cast<Index>(nodes.size()); }
  std::span<const std::size_t> of(Index g) const {
    return std::span(places).subspan(start[g], start[g + 1] - start[g]);
  }
};

// Linear in pairs and in `nodes`, the number of nodes of the graph. 8 bytes per pair and 8 a node.
[[nodiscard]] PairGroups group_pairs(std::span<const Pair> pairs, GroupBy by, Index nodes);

}  // namespace cupel
