// NumPy's legacy generator, bit for bit: numpy.random.RandomState(seed) as of NumPy 1.x and,
// frozen, 2.x.
//
// Needed because published splits are defined by it (Shchur et al. 2018). Nothing else in Cupel
// draws from it: new schemes use the keyed streams of cupel/base/random.h.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Same stream as RandomState(seed), which seeds MT19937 as std::mt19937 does. Not thread-safe.
class NumpyLegacy {
 public:
  explicit NumpyLegacy(std::uint32_t seed) : engine_(seed) {}

  // randint(low, high): uniform in [low, high), by masked rejection. Requires low < high and a
  // range below 2^32 - 1. As in NumPy, a range of one value consumes nothing.
  std::int64_t randint(std::int64_t low, std::int64_t high);

  // permutation(size): Fisher-Yates from the last position down. Requires size >= 0.
  std::vector<Index> permutation(Index size);

  // choice(pool, count, replace=False): the pool's members at the first `count` positions of a
  // permutation. Requires count <= pool.size().
  std::vector<Index> choice(std::span<const Index> pool, Index count);

 private:
  std::uint32_t draw_up_to(std::uint32_t largest);

  std::mt19937 engine_;
};

}  // namespace cupel
