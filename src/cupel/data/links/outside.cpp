#include "cupel/data/links/outside.h"

#include <algorithm>

namespace cupel {

Index nth_outside(std::span<const Index> excluded, Index rank) {
  // excluded[i] - i numbers outside are below excluded[i], and that grows with i.
  std::size_t low = 0, high = excluded.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (excluded[middle] - static_cast<Index>(middle) <= rank)
      low = middle + 1;
    else
      high = middle;
  }
  return rank + static_cast<Index>(low);
}

std::uint64_t below(Stream& stream, std::uint64_t bound) {
  if (bound <= 0xFFFFFFFFu) return stream.next_below(static_cast<std::uint32_t>(bound));
  // The first of the 2^64 numbers are left out, so that every remainder occurs equally often.
  const std::uint64_t first = -bound % bound;
  for (;;) {
    const std::uint64_t high = stream.next_u32(), drawn = high << 32 | stream.next_u32();
    if (drawn >= first) return drawn % bound;
  }
}

NonLinks::NonLinks(const Csr& arcs, bool directed) : arcs_(arcs), directed_(directed) {
  before_.assign(static_cast<std::size_t>(arcs.rows) + 1, 0);
  for (Index u = 0; u < arcs.rows; ++u) {
    const Index others = directed ? arcs.rows - 1 : arcs.rows - 1 - u;
    before_[u + 1] = before_[u] + static_cast<std::uint64_t>(others) - excluded(u).size();
  }
}

std::span<const Index> NonLinks::excluded(Index source) const {
  const auto row = arcs_.row_columns(source);
  if (directed_) return row;
  return row.subspan(std::upper_bound(row.begin(), row.end(), source) - row.begin());
}

Pair NonLinks::at(std::uint64_t number) const {
  const auto source = static_cast<Index>(std::upper_bound(before_.begin(), before_.end(), number) -
                                         before_.begin() - 1);
  auto rank = static_cast<Index>(number - before_[source]);
  const auto links = excluded(source);
  if (!directed_) {
    // Targets count from source + 1: all up to the source lie below every excluded one.
    return {source, nth_outside(links, rank + source + 1)};
  }
  // The source itself is one more number to leave out.
  const Index below_source =
      source -
      static_cast<Index>(std::lower_bound(links.begin(), links.end(), source) - links.begin());
  if (rank >= below_source) ++rank;
  return {source, nth_outside(links, rank)};
}

}  // namespace cupel
