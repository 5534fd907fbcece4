#include "cupel/data/split/numpy_legacy.h"

#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

namespace cupel {

std::uint32_t NumpyLegacy::draw_up_to(std::uint32_t largest) {
  if (largest == 0) return 0;
  const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << std::bit_width(largest)) - 1);
  for (;;) {
    const auto value = static_cast<std::uint32_t>(engine_()) & mask;
    if (value <= largest) return value;
  }
}

std::int64_t NumpyLegacy::randint(std::int64_t low, std::int64_t high) {
  assert(low < high && high - low < 0xFFFFFFFFll);
  return low + draw_up_to(static_cast<std::uint32_t>(high - 1 - low));
}

std::vector<Index> NumpyLegacy::permutation(Index size) {
  std::vector<Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i-- > 1;) {
    std::swap(order[i], order[draw_up_to(static_cast<std::uint32_t>(i))]);
  }
  return order;
}

std::vector<Index> NumpyLegacy::choice(std::span<const Index> pool, Index count) {
  assert(count >= 0 && static_cast<std::size_t>(count) <= pool.size());
  std::vector<Index> chosen = permutation(static_cast<Index>(pool.size()));
  chosen.resize(static_cast<std::size_t>(count));
  for (Index& at : chosen) at = pool[static_cast<std::size_t>(at)];
  return chosen;
}

}  // namespace cupel
