#include "cupel/judge/stats/descriptive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/random.h"
#include "cupel/judge/stats/bootstrap.h"

namespace cupel {
namespace {

TEST(Descriptive, MeanAndSampleSdAgreeWithNumpy) {
  // numpy.mean, numpy.std(ddof=1)
  const std::vector<double> values = {81.2, 79.5, 83.1, 80.4, 82.2, 78.9, 81.7};
  EXPECT_NEAR(mean_of(values), 81.0, 1e-12);
  EXPECT_NEAR(*sample_sd(values), 1.494434118097324, 1e-12);
}

TEST(Descriptive, OneValueHasNoSpread) {
  const std::vector<double> one = {0.5};
  EXPECT_FALSE(sample_sd(one).has_value());
  EXPECT_FALSE(estimate(one).standard_error.has_value());
}

TEST(Descriptive, EqualValuesHaveExactlyNoSpread) {
  const std::vector<double> equal(37, 0.1);
  EXPECT_EQ(mean_of(equal), 0.1);
  EXPECT_EQ(*sample_sd(equal), 0.0);
}

TEST(Descriptive, BoxFollowsNumpyQuartilesAndTukeyFences) {
  // numpy.percentile(values, [25, 50, 75]) = 0.69, 0.72, 0.74; fences 0.615 and 0.815
  const Box box = box_of({0.61, 0.75, 0.70, 0.12, 0.72, 0.74, 0.69, 0.73, 0.99});
  EXPECT_NEAR(box.q1, 0.69, 1e-12);
  EXPECT_NEAR(box.median, 0.72, 1e-12);
  EXPECT_NEAR(box.q3, 0.74, 1e-12);
  EXPECT_EQ(box.low, 0.69);
  EXPECT_EQ(box.high, 0.75);
  EXPECT_EQ(box.outliers, (std::vector<double>{0.12, 0.61, 0.99}));
}

TEST(Descriptive, BoxOfOneValueIsThatValue) {
  const Box box = box_of({0.4});
  EXPECT_EQ(box.low, 0.4);
  EXPECT_EQ(box.median, 0.4);
  EXPECT_EQ(box.high, 0.4);
  EXPECT_TRUE(box.outliers.empty());
}

TEST(Descriptive, ClusteredErrorAgreesWithStatsmodels) {
  // statsmodels: OLS(y, ones).fit(cov_type="cluster", cov_kwds={"groups": [0,0,0,1,1,2,2]})
  const ScoresBySplit scores = {{0, {80.0, 81.0, 82.5}}, {1, {79.0, 80.2}}, {2, {83.0, 81.1}}};
  const Estimate mean = clustered_estimate(scores);
  EXPECT_NEAR(mean.mean, 80.97142857142858, 1e-11);
  EXPECT_NEAR(*mean.standard_error, 0.6190741565665713, 1e-11);
  EXPECT_EQ(mean.df, 2);
  EXPECT_EQ(mean.draws, 3);
}

TEST(Descriptive, RepeatingARunOfASplitTeachesNothing) {
  ScoresBySplit once, twenty_times;
  for (int split = 0; split < 5; ++split) {
    once[split] = {0.7 + 0.01 * split};
    twenty_times[split] = std::vector<double>(20, 0.7 + 0.01 * split);
  }
  EXPECT_NEAR(*clustered_estimate(once).standard_error,
              *clustered_estimate(twenty_times).standard_error, 1e-12);
}

TEST(Bootstrap, IsAFunctionOfItsKey) {
  const std::vector<double> draws = {0.81, 0.79, 0.83, 0.80, 0.82, 0.78};
  const Interval a = bootstrap_mean(draws, stream_key("x")),
                 b = bootstrap_mean(draws, stream_key("x")),
                 c = bootstrap_mean(draws, stream_key("y"));
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_NE(a.low, c.low);
}

TEST(Bootstrap, MatchesTheNormalIntervalForManyNormalDraws) {
  std::vector<double> draws;
  Stream stream(stream_key("normal"), 1);
  for (int i = 0; i < 400; ++i) draws.push_back(stream.next_normal());
  const Interval interval = bootstrap_mean(draws, stream_key("resample"), 8000);
  const double mean = mean_of(draws), se = *sample_sd(draws) / 20;
  EXPECT_NEAR(interval.low, mean - 1.96 * se, 0.1 * se);
  EXPECT_NEAR(interval.high, mean + 1.96 * se, 0.1 * se);
}

TEST(Bootstrap, CoversTheMeanAboutAsOftenAsItSays) {
  int covered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Stream stream(stream_key("cover"), 1, static_cast<std::uint32_t>(trial));
    std::vector<double> draws;
    for (int i = 0; i < 40; ++i) draws.push_back(stream.next_unit());
    const Interval interval =
        bootstrap_mean(draws, stream_key("c" + std::to_string(trial)), 400, 0.1);
    covered += interval.low <= 0.5 && 0.5 <= interval.high;
  }
  EXPECT_NEAR(covered / 400.0, 0.9, 0.05);
}

}  // namespace
}  // namespace cupel
