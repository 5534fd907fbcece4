// Figures are CPython 3.11's: random.Random(seed), shuffle, randrange.
#include "cupel/data/split/python_random.h"

#include <gtest/gtest.h>

#include <numeric>

namespace cupel {
namespace {

std::vector<int> shuffled(PythonRandom& random, int size) {
  std::vector<int> out(static_cast<std::size_t>(size));
  std::iota(out.begin(), out.end(), 0);
  random.shuffle(out);
  return out;
}

TEST(PythonRandom, DrawsWhatPythonDraws) {
  PythonRandom zero(0), usual(42), long_seed((std::uint64_t{1} << 32) + 7);
  EXPECT_EQ(shuffled(zero, 10), (std::vector<int>{7, 8, 1, 5, 3, 4, 2, 0, 9, 6}));
  EXPECT_EQ(zero.below(1000), 366u);
  EXPECT_EQ(zero.below(3), 2u);
  EXPECT_EQ(shuffled(usual, 10), (std::vector<int>{7, 3, 2, 8, 5, 6, 9, 4, 0, 1}));
  EXPECT_EQ(usual.below(1000), 604u);
  EXPECT_EQ(shuffled(long_seed, 10), (std::vector<int>{2, 1, 4, 7, 9, 0, 6, 8, 5, 3}));
  EXPECT_EQ(long_seed.below(1000), 593u);
}

TEST(PythonRandom, DrawsMoreThanItsStateHolds) {
  PythonRandom random(42);
  const std::vector<int> all = shuffled(random, 2000);
  EXPECT_EQ(std::vector<int>(all.begin(), all.begin() + 3), (std::vector<int>{795, 1468, 478}));
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) sum += static_cast<std::int64_t>(i) * all[i];
  EXPECT_EQ(sum, 1971270380);
}

}  // namespace
}  // namespace cupel
