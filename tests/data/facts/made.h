// Small made facts for tests, sorted by time.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/facts/columns.h"

namespace cupel::made {

struct MadeFacts {
  std::vector<Index> source, relation, target;
  std::vector<std::int64_t> time;
  Index nodes = 0, relations = 0;

  void add(Index s, Index r, Index o, std::int64_t t) {
    source.push_back(s), relation.push_back(r), target.push_back(o), time.push_back(t);
    nodes = std::max({nodes, s + 1, o + 1});
    relations = std::max(relations, r + 1);
  }
  FactColumns columns() const { return {source, relation, target, time, nodes, relations}; }
  std::tuple<Index, Index, Index> triple(Offset i) const {
    const auto at = static_cast<std::size_t>(i);
    return {source[at], relation[at], target[at]};
  }
};

// Draws with small numbers, so that facts repeat, and later facts with more nodes, so that some are
// new. Steps are `gap` apart and begin at `start`.
inline MadeFacts random_facts(std::uint32_t seed, Offset size, Index nodes, Index relations,
                              int steps, std::int64_t start = 1990, std::int64_t gap = 1) {
  MadeFacts out;
  out.nodes = nodes, out.relations = relations;
  for (Offset i = 0; i < size; ++i) {
    const auto bits = philox({seed, 71}, 0, 0, static_cast<std::uint32_t>(i), 0);
    const auto known = static_cast<std::uint32_t>(1 + (nodes - 1) * (i + 1) / size);
    out.source.push_back(static_cast<Index>(bits[0] % known));
    out.target.push_back(static_cast<Index>(bits[1] % known));
    out.relation.push_back(static_cast<Index>(bits[2] % static_cast<std::uint32_t>(relations)));
    out.time.push_back(start + gap * (i * steps / size));
  }
  return out;
}

}  // namespace cupel::made
