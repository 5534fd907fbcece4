#include "cupel/engine/kernels/optimiser.h"

#include <tuple>

#include "engine/kernels/reference.h"
#include "engine/kernels/support.h"

namespace cupel::test {
namespace {

using kernels::AdamStep;

constexpr std::size_t kSizes[] = {0, 1, 7, 16, 31, 33, 511, 512, 513, 5000};

std::vector<float> values(std::size_t size, std::uint32_t seed) {
  return Strided::random(1, static_cast<Index>(size), seed, 0).values;
}

TEST(Adam, EqualsOracleOverManySteps) {
  on_every_target([] {
    for (const std::size_t size : kSizes) {
      std::vector<float> w = values(size, 41), m(size), v(size), w2 = w, m2 = m, v2 = v;
      AdamStep step;
      step.l2 = 1e-3f;
      for (int t = 1; t <= 20; ++t) {
        step.rate =
            static_cast<float>(0.01 * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)));
        const std::vector<float> g = values(size, static_cast<std::uint32_t>(100 + t));
        const double sum = kernels::adam({1}, step, size, g.data(), w.data(), m.data(), v.data());
        reference::adam(step, size, g.data(), w2.data(), m2.data(), v2.data());
        expect_near(w, w2, 3e-6);
        expect_near(m, m2, 3e-6);
        expect_near(v, v2, 3e-6);
        EXPECT_EQ(sum, kernels::sum_of_squares({1}, size, w.data()));
        EXPECT_NEAR(sum, reference::sum_of_squares(size, w.data()), 3e-7 * sum);
      }
    }
  });
}

// Where v is 0 or tiny, epsilon decides; the first step moves by rate whatever the gradient's size.
TEST(Adam, TinyAndZeroGradients) {
  const std::vector<float> g = {0, 1e-30f, -1e-20f, 1e-8f, 1e-3f, 1.0f, 1e6f, 1e15f, -1e18f};
  on_every_target([&] {
    std::vector<float> w(g.size(), 1.0f), m(g.size()), v(g.size()), w2 = w, m2 = m, v2 = v;
    AdamStep step;
    step.rate = 0.01f;
    kernels::adam({1}, step, g.size(), g.data(), w.data(), m.data(), v.data());
    reference::adam(step, g.size(), g.data(), w2.data(), m2.data(), v2.data());
    expect_near(w, w2, 2e-7);
    EXPECT_EQ(w[0], 1.0f);
  });
}

// A run that such a gradient breaks has to show it.
TEST(Adam, AGradientTooLargeToSquareIsNotLost) {
  on_every_target([] {
    for (const float large : {2e19f, 1e25f, -1e38f}) {
      std::vector<float> w(19, 1.0f), m(19), v(19), g(19, large);
      const AdamStep step{.rate = 0.01f};
      kernels::adam({1}, step, 19, g.data(), w.data(), m.data(), v.data());
      for (const float x : w) EXPECT_FALSE(std::isfinite(x)) << x;
      g.assign(19, 0.0f);
      const double sum = kernels::adam({1}, step, 19, g.data(), w.data(), m.data(), v.data());
      EXPECT_TRUE(std::isnan(sum));
      for (const float x : w) EXPECT_TRUE(std::isnan(x)) << x;
      for (const float x : v) EXPECT_TRUE(std::isnan(x)) << x;
    }
  });
}

TEST(Adam, TheLargestRootsEqualTheOracle) {
  on_every_target([] {
    const std::vector<float> g(19, 1.8e19f);
    std::vector<float> w(19, 1.0f), m(19), v(19), w2 = w, m2 = m, v2 = v;
    for (int t = 0; t < 1000; ++t) {
      kernels::adam({1}, {.rate = 0.01f}, 19, g.data(), w.data(), m.data(), v.data());
      reference::adam({.rate = 0.01f}, 19, g.data(), w2.data(), m2.data(), v2.data());
    }
    EXPECT_GT(std::sqrt(v[0]), 1.4e19f);
    expect_near(w, w2, 1e-4);
  });
}

TEST(Adam, NanReachesTheSum) {
  on_every_target([] {
    std::vector<float> g(40, 0.5f), w(40, 1.0f), m(40), v(40);
    g[37] = kNan;
    EXPECT_TRUE(std::isnan(
        kernels::adam({1}, {.rate = 0.01f}, 40, g.data(), w.data(), m.data(), v.data())));
    EXPECT_TRUE(std::isnan(w[37]));
    EXPECT_FALSE(std::isnan(w[36]));
  });
}

TEST(Adam, SameBitsForEveryVectorWidth) {
  const std::size_t size = 5001;
  std::vector<std::vector<float>> results;
  std::vector<double> sums;
  on_every_target([&] {
    if ((hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX2)) == 0) return;
    std::vector<float> w = values(size, 42), m(size), v(size);
    const std::vector<float> g = values(size, 43);
    for (int t = 0; t < 5; ++t) {
      sums.push_back(kernels::adam({1}, {.rate = 0.01f, .l2 = 1e-3f}, size, g.data(), w.data(),
                                   m.data(), v.data()));
    }
    results.push_back(w);
  });
  if (results.size() < 2) GTEST_SKIP() << "this machine has one vector width only";
  EXPECT_TRUE(same_bits(results[0], results[1]));
  EXPECT_TRUE(std::equal(sums.begin(), sums.begin() + 5, sums.begin() + 5));
}

TEST(Adam, ThreadsDoNotShow) {
  const std::size_t size = 300'007;  // several chunks, the last one short
  const std::vector<float> g = values(size, 46);
  const auto run = [&](int threads) {
    std::vector<float> w = values(size, 45), m(size), v(size);
    const double sum = kernels::adam({threads}, {.rate = 0.01f, .l2 = 1e-3f}, size, g.data(),
                                     w.data(), m.data(), v.data());
    EXPECT_EQ(sum, kernels::sum_of_squares({threads}, size, w.data()));
    EXPECT_NEAR(sum, reference::sum_of_squares(size, w.data()), 3e-7 * sum);
    return std::tuple(sum, w, m, v);
  };
  const auto one = run(1);
  for (const int threads : {2, 8}) {
    const auto many = run(threads);
    EXPECT_EQ(std::get<0>(one), std::get<0>(many));
    EXPECT_TRUE(same_bits(std::get<1>(one), std::get<1>(many)));
    EXPECT_TRUE(same_bits(std::get<2>(one), std::get<2>(many)));
    EXPECT_TRUE(same_bits(std::get<3>(one), std::get<3>(many)));
  }
}

TEST(SumOfSquares, EqualsDoubleSum) {
  on_every_target([] {
    for (const std::size_t size : kSizes) {
      const std::vector<float> w = values(size, 44);
      const double expected = reference::sum_of_squares(size, w.data());
      EXPECT_NEAR(kernels::sum_of_squares({1}, size, w.data()), expected, 3e-7 * expected);
    }
  });
}

}  // namespace
}  // namespace cupel::test
