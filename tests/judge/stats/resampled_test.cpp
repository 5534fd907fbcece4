#include "cupel/judge/stats/resampled.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/random.h"
#include "cupel/judge/stats/tests.h"

namespace cupel {
namespace {

std::map<int, double> numbered(const std::vector<double>& values, int first = 0) {
  std::map<int, double> out;
  for (const double value : values) out[first + static_cast<int>(out.size())] = value;
  return out;
}

// Ten folds: 1/n + n_test/n_train = 1/10 + 1/9, by hand. The sample deviation of 1..10 is
// sqrt(55/6).
TEST(ResampledEstimate, OneCrossValidationIsCorrectedForSharedExamples) {
  const SplitDesign folds{0, 10, 1.0 / 9};
  const auto values = numbered({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_EQ(error_scope(values, folds), ErrorScope::kOtherData);
  const Estimate found = resampled_estimate(values, folds);
  EXPECT_DOUBLE_EQ(found.mean, 5.5);
  EXPECT_NEAR(*found.standard_error, std::sqrt(55.0 / 6 * (0.1 + 1.0 / 9)), 1e-12);
  EXPECT_EQ(found.df, 9);
}

// Three repetitions of four folds, whose means are 2, 4 and 9: sd of {2, 4, 9} over sqrt 3.
TEST(ResampledEstimate, RepetitionsAreTheDraws) {
  const auto values = numbered({0, 1, 3, 4, 4, 4, 4, 4, 20, 0, 8, 8});
  const SplitDesign folds{0, 4, 1.0 / 3};
  EXPECT_EQ(error_scope(values, folds), ErrorScope::kRepetitions);
  const Estimate found = resampled_estimate(values, folds);
  EXPECT_DOUBLE_EQ(found.mean, 5);
  EXPECT_NEAR(*found.standard_error, std::sqrt(13.0 / 3), 1e-12);
  EXPECT_EQ(found.df, 2);
}

TEST(ResampledEstimate, TwoRepetitionsAndPiecesOfThemAreNone) {
  const SplitDesign folds{0, 4, 1.0 / 3};
  EXPECT_EQ(error_scope(numbered({0, 1, 3, 4, 4, 4, 4, 4}), folds), ErrorScope::kOtherData);
  // Numbers 2 to 13 of the family: pieces of the first and the last repetition, two whole ones.
  const auto values = numbered({0, 1, 3, 4, 4, 4, 4, 4, 20, 0, 8, 8});
  EXPECT_EQ(error_scope(values, {2, 4, 1.0 / 3}), ErrorScope::kOtherData);
  EXPECT_EQ(error_scope(values, {4, 4, 1.0 / 3}), ErrorScope::kRepetitions);
}

TEST(ResampledEstimate, SplitsOfWhichNothingIsKnownAreTakenAsTheyAre) {
  const auto values = numbered({1, 2, 3, 4});
  EXPECT_EQ(error_scope(values, {}), ErrorScope::kSplits);
  EXPECT_NEAR(*resampled_estimate(values, {}).standard_error, std::sqrt(5.0 / 3 / 4), 1e-12);
  EXPECT_FALSE(resampled_estimate({{3, 1.0}}, {}).standard_error.has_value());
  EXPECT_FALSE(resampled_estimate({{3, 1.0}}, {0, 10, 1.0 / 9}).standard_error.has_value());
}

// Folds of a repetition add up: how far they stray apart is no error of its mean. One fold of a
// repetition more has that error, and three whole ones with it must not be taken for four.
TEST(ResampledEstimate, AnUnfinishedRepetitionMakesNoFalseDifferences) {
  constexpr int kFolds = 10, kRuns = 4000;
  const double most = 0.05 + 3 * std::sqrt(0.05 * 0.95 / kRuns);
  for (const double of_folds : {1.0, 3.0, 10.0}) {
    int found = 0;
    for (std::uint32_t run = 0; run < kRuns; ++run) {
      Stream stream(stream_key("unfinished"), static_cast<std::uint32_t>(of_folds), run);
      std::vector<double> values;
      for (int repetition = 0; repetition < 4; ++repetition) {
        std::vector<double> folds;
        for (int fold = 0; fold < kFolds; ++fold) folds.push_back(of_folds * stream.next_normal());
        const double level = stream.next_normal() - mean_of(folds);
        for (const double fold : folds) values.push_back(level + fold);
      }
      values.resize(3 * kFolds + 1);
      const Estimate mean = resampled_estimate(numbered(values), {0, kFolds, 1.0 / 9});
      found += student_p(std::abs(mean.mean) / *mean.standard_error, mean.df) <= 0.05;
    }
    EXPECT_LE(found / double{kRuns}, most) << of_folds;
    EXPECT_GE(found / double{kRuns}, 0.1 - most) << of_folds;
  }
}

}  // namespace
}  // namespace cupel
