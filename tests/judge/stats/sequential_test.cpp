// Levels of repeated looks, against published boundaries and simulation.
#include "cupel/judge/stats/sequential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "cupel/base/random.h"
#include "cupel/judge/stats/tests.h"

namespace cupel {
namespace {

// z with P(Z > z) = level.
double z_of(double level) {
  return student_critical(2 * level, std::numeric_limits<double>::infinity());
}

TEST(LookSchedule, GrowsByAQuarterInWholeUnits) {
  EXPECT_EQ(look_schedule(10, 1, 100),
            (std::vector<int>{10, 13, 17, 22, 28, 35, 44, 55, 69, 87, 100}));
  EXPECT_EQ(look_schedule(10, 10, 45), (std::vector<int>{10, 20, 30, 40, 45}));
  EXPECT_EQ(look_schedule(10, 1, 10), (std::vector<int>{10}));
  EXPECT_EQ(look_schedule(10, 1, 4), (std::vector<int>{4}));
  EXPECT_EQ(look_schedule(10, 10, 4), (std::vector<int>{4}));
}

TEST(LookLevels, OneLookIsAPlainTest) {
  for (const double alpha : {0.05, 0.025, 0.05 / 154}) {
    const int looks[] = {100};
    EXPECT_NEAR(look_levels(looks, 100, alpha)[0], alpha, 1e-9);
  }
}

// Linear spending at five even looks, one-sided 0.025: z solved one look after the other from
// scipy.stats.multivariate_normal.cdf with correlation sqrt(t_i / t_j).
TEST(LookLevels, AreTheBoundariesOfLinearSpending) {
  const int looks[] = {20, 40, 60, 80, 100};
  const std::vector<double> levels = look_levels(looks, 100, 0.025);
  const double expected[] = {2.576, 2.492, 2.411, 2.339, 2.276};
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(z_of(levels[static_cast<std::size_t>(i)]), expected[i], 0.003) << i;
}

// All looks together cross as often as is said, and no look alone would be allowed as much.
TEST(LookLevels, SpendWhatTheySay) {
  const std::vector<int> looks = look_schedule(10, 1, 100);
  for (const double alpha : {0.05, 0.01}) {
    const std::vector<double> levels = look_levels(looks, 100, alpha);
    std::vector<double> bounds;
    for (const double level : levels) bounds.push_back(z_of(level));
    constexpr int kRuns = 40000;
    int crossed = 0;
    for (int run = 0; run < kRuns; ++run) {
      Stream stream(stream_key("looks"), 1, static_cast<std::uint32_t>(run));
      double sum = 0;
      int n = 0;
      bool over = false;
      for (std::size_t k = 0; k < looks.size(); ++k) {
        for (; n < looks[k]; ++n) sum += stream.next_normal();
        over = over || sum / std::sqrt(static_cast<double>(n)) > bounds[k];
      }
      crossed += over;
    }
    // Three standard errors of the share.
    EXPECT_NEAR(crossed / double{kRuns}, alpha, 3 * std::sqrt(alpha / kRuns)) << alpha;
    EXPECT_GT(std::accumulate(levels.begin(), levels.end(), 0.0), alpha);
    for (const double level : levels) EXPECT_LT(level, alpha);
  }
}

}  // namespace
}  // namespace cupel
