#include "cupel/data/graph/sort_row.h"

#include <algorithm>
#include <array>

namespace cupel {

// Long rows digit by digit, since a comparison sort spends its time on mispredicted branches.
void sort_row(std::span<Index> row, std::vector<Index>& space, int bits) {
  constexpr std::size_t kShort = 256;
  constexpr int kDigit = 11;
  if (row.size() < kShort) {
    std::sort(row.begin(), row.end());
    return;
  }
  if (space.size() < row.size()) space.resize(row.size());
  std::span<Index> from = row, to(space.data(), row.size());
  for (int shift = 0; shift < bits; shift += kDigit) {
    std::array<std::size_t, (1 << kDigit) + 1> start{};
    const auto digit = [&](Index value) {
      return static_cast<std::size_t>((value >> shift) & ((1 << kDigit) - 1));
    };
    for (const Index value : from) ++start[digit(value) + 1];
    for (std::size_t d = 1; d < start.size(); ++d) start[d] += start[d - 1];
    for (const Index value : from) to[start[digit(value)]++] = value;
    std::swap(from, to);
  }
  if (from.data() != row.data()) std::copy(from.begin(), from.end(), row.begin());
}

int bits_of(Index largest) {
  int bits = 0;
  for (; largest > 0; largest >>= 1) ++bits;
  return bits;
}

}  // namespace cupel
