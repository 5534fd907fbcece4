#include "cupel/learn/links/heuristics/pair_groups.h"

#include <algorithm>

namespace cupel {

PairGroups group_pairs(std::span<const Pair> pairs, GroupBy by, Index nodes) {
  const auto key = [by](Pair pair) {
    if (by == GroupBy::kSmaller) return std::min(pair.source, pair.target);
    return by == GroupBy::kSource ? pair.source : pair.target;
  };
  std::vector<std::size_t> next(static_cast<std::size_t>(nodes) + 1);
  for (const Pair& pair : pairs) ++next[key(pair) + 1];
  PairGroups out;
  out.start = {0};
  for (Index i = 0; i < nodes; ++i) {
    next[i + 1] += next[i];
    if (next[i + 1] == next[i]) continue;
    out.nodes.push_back(i);
    out.start.push_back(next[i + 1]);
  }
  out.places.resize(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) out.places[next[key(pairs[k])]++] = k;
  return out;
}

}  // namespace cupel
