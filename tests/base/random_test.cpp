#include "cupel/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cupel {
namespace {

// Random123's published vectors for philox4x32 with 7 rounds. Its counter words 0..3 are our block,
// row, step and purpose.
TEST(Philox, KnownAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0}, 0, 0, 0, 0), (Words{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones}, ones, ones, ones, ones),
            (Words{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}));
  EXPECT_EQ(philox({0xa4093822, 0x299f31d0}, 0x03707344, 0x13198a2e, 0x85a308d3, 0x243f6a88),
            (Words{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}));
}

TEST(StreamKey, DependsOnTheWholeIdentity) {
  EXPECT_EQ(stream_key("run 1"), stream_key("run 1"));
  EXPECT_FALSE(stream_key("run 1") == stream_key("run 2"));
}

TEST(Stream, BelowIsUniform) {
  Stream stream(stream_key("below"), 1);
  constexpr int kBound = 7, kDraws = 70'000;
  std::vector<int> counts(kBound);
  for (int i = 0; i < kDraws; ++i) ++counts[stream.next_below(kBound)];
  double chi_squared = 0;
  for (const int count : counts)
    chi_squared += std::pow(count - kDraws / kBound, 2) / (kDraws / kBound);
  EXPECT_LT(chi_squared, 22.5);  // 6 degrees of freedom, p = 0.001
}

TEST(Stream, NormalHasItsMoments) {
  Stream stream(stream_key("normal"), 1);
  constexpr int kDraws = 100'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.next_normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 4 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1.0, 4 * std::sqrt(2.0 / kDraws));
}

TEST(Stream, PurposesStepsAndRowsAreApart) {
  const StreamKey key = stream_key("apart");
  const std::uint32_t base = Stream(key, 1, 2, 3).next_u32();
  EXPECT_NE(base, Stream(key, 2, 2, 3).next_u32());
  EXPECT_NE(base, Stream(key, 1, 3, 3).next_u32());
  EXPECT_NE(base, Stream(key, 1, 2, 4).next_u32());
}

}  // namespace
}  // namespace cupel
