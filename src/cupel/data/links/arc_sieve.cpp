#include "cupel/data/links/arc_sieve.h"

#include <algorithm>
#include <bit>

namespace cupel {

ArcSieve::ArcSieve(const Csr& arcs) : arcs_(arcs) {
  constexpr std::uint64_t kBitsPerArc = 16;  // one pair in 16 to 32 is looked up in vain
  const auto wanted = std::max<std::uint64_t>(64, kBitsPerArc * arcs.columns.size());
  const int bits = std::bit_width(wanted - 1);
  shift_ = 64 - bits;
  bits_.assign(std::size_t{1} << (bits - 6), 0);
  for (Index i = 0; i < arcs.rows; ++i)
    for (const Index j : arcs.row_columns(i)) {
      const std::size_t at = place({i, j});
      bits_[at / 64] |= std::uint64_t{1} << (at % 64);
    }
}

}  // namespace cupel
