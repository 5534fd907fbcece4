#include "cupel/base/shuffle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace cupel {
namespace {

// Chi-squared of what is drawn so often against `kinds` outcomes that are equally likely.
template <class Draw>
double chi_squared(std::size_t kinds, int draws, Draw draw) {
  std::map<std::string, int> drawn;
  for (int i = 0; i < draws; ++i) ++drawn[draw()];
  EXPECT_EQ(drawn.size(), kinds);
  const double expected = draws / static_cast<double>(kinds);
  double sum = 0;
  for (const auto& [outcome, count] : drawn) sum += std::pow(count - expected, 2) / expected;
  return sum;
}

TEST(Shuffle, GivesEachOrderEquallyOften) {
  Stream stream(stream_key("shuffle"), 1);
  const auto order = [&] {
    std::string items = "abcd";
    shuffle(items, stream);
    return items;
  };
  EXPECT_LT(chi_squared(24, 24'000, order), 49.7);  // 23 degrees of freedom, p = 0.001
}

TEST(DrawToFront, GivesEachChoiceEquallyOftenAndKeepsTheOthers) {
  Stream stream(stream_key("draw to front"), 1);
  const auto choice = [&] {
    std::string items = "abcde";
    draw_to_front(items, 2, stream);
    EXPECT_TRUE(std::ranges::is_permutation(items, std::string("abcde"))) << items;
    return items.substr(0, 2);
  };
  EXPECT_LT(chi_squared(20, 20'000, choice), 43.8);  // 19 degrees of freedom, p = 0.001
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
