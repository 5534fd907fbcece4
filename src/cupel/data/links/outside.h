// Numbers outside a sorted list, by rank: what is drawn from is counted, and no draw is thrown away
// for being a link.
#pragma once

#include <span>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/graph/pairs.h"

namespace cupel {

// The rank-th number from 0 that is not in `excluded` (ascending, distinct, from 0). Logarithmic.
[[nodiscard]] Index nth_outside(std::span<const Index> excluded, Index rank);

// Uniform in [0, bound), unbiased. Requires bound > 0.
[[nodiscard]] std::uint64_t below(Stream& stream, std::uint64_t bound);

// The pairs that are no links: ordered ones, or unordered ones with source < target; no loops.
class NonLinks {
 public:
  // `arcs` as of arcs_of(): both directions unless `directed`. Refers to it.
  NonLinks(const Csr& arcs, bool directed);
  std::uint64_t size() const { return before_.back(); }
  Pair at(std::uint64_t number) const;  // number < size(), ascending. Logarithmic

 private:
  std::span<const Index> excluded(Index source) const;  // links that the row counts
  const Csr& arcs_;
  bool directed_;
  std::vector<std::uint64_t> before_;  // per source: non-links of lower sources
};

}  // namespace cupel
