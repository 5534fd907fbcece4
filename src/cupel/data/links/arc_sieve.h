// Whether pairs are arcs, where many are asked about and most are none.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/data/graph/pairs.h"

namespace cupel {

// has_arc() for many pairs: a few bits for each arc tell most of those that are none without a look
// at the rows. `arcs` must outlive it. Thread-safe.
class ArcSieve {
 public:
  explicit ArcSieve(const Csr& arcs);
  bool has(Pair pair) const {
    const std::size_t at = place(pair);
    return (bits_[at / 64] >> (at % 64) & 1) != 0 && has_arc(arcs_, pair);
  }

 private:
  std::size_t place(Pair pair) const {
    // Multiplication mixes both numbers into the upper bits.
    const std::uint64_t both = std::uint64_t{static_cast<std::uint32_t>(pair.source)} << 32 |
                               static_cast<std::uint32_t>(pair.target);
    return static_cast<std::size_t>(both * 0x9E3779B97F4A7C15u >> shift_);
  }

  const Csr& arcs_;
  int shift_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace cupel
