#include "cupel/base/shuffle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace cupel {
namespace {

// Chi-squared of `drawn` against `kinds` outcomes that are equally likely.
double chi_squared(const std::map<std::string, int>& drawn, int kinds, int draws) {
  const double expected = static_cast<double>(draws) / kinds;
  double sum = (kinds - static_cast<double>(drawn.size())) * expected;
  for (const auto& [order, count] : drawn) sum += std::pow(count - expected, 2) / expected;
  return sum;
}

TEST(Shuffle, GivesEachOrderEquallyOften) {
  Stream stream(stream_key("shuffle"), 1);
  constexpr int kDraws = 24'000;
  std::map<std::string, int> drawn;
  for (int i = 0; i < kDraws; ++i) {
    std::string items = "abcd";
    shuffle(items, stream);
    ++drawn[items];
  }
  EXPECT_EQ(drawn.size(), 24u);
  EXPECT_LT(chi_squared(drawn, 24, kDraws), 49.7);  // 23 degrees of freedom, p = 0.001
}

TEST(DrawToFront, GivesEachChoiceEquallyOftenAndKeepsTheOthers) {
  Stream stream(stream_key("draw to front"), 1);
  constexpr int kDraws = 20'000;
  std::map<std::string, int> drawn;
  for (int i = 0; i < kDraws; ++i) {
    std::string items = "abcde";
    draw_to_front(items, 2, stream);
    ++drawn[items.substr(0, 2)];
    std::string sorted = items;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, "abcde");
  }
  EXPECT_EQ(drawn.size(), 20u);
  EXPECT_LT(chi_squared(drawn, 20, kDraws), 43.8);  // 19 degrees of freedom, p = 0.001
}

TEST(Shuffle, OfNoneAndOneDrawsNothing) {
  Stream stream(stream_key("few"), 1), fresh(stream_key("few"), 1);
  std::string none, one = "a";
  shuffle(none, stream), shuffle(one, stream), draw_to_front(none, 0, stream);
  EXPECT_EQ(one, "a");
  EXPECT_EQ(stream.next_u32(), fresh.next_u32());
}

}  // namespace
}  // namespace cupel
