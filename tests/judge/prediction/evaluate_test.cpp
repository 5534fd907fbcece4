#include "cupel/judge/prediction/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/error.h"

namespace cupel {
namespace {

const StreamKey kKey = stream_key("prediction test");
constexpr int kFolds = 5;

// Folds of a data set lie close together. Effectiveness is one number per data set that has nothing
// to do with its features, or the sum of the first two of them.
std::vector<PredictionSample> made(int datasets, bool of_features, std::uint32_t world = 0) {
  Stream random(kKey, 1, world);
  std::vector<PredictionSample> out;
  for (int d = 0; d < datasets; ++d) {
    RegressionRow centre;
    for (int f = 0; f < 6; ++f) centre.push_back(random.next_normal());
    const double own = random.next_unit();
    for (int fold = 0; fold < kFolds; ++fold) {
      PredictionSample sample{"set" + std::to_string(d), fold, centre, own};
      for (double& value : sample.features) value += 0.02 * random.next_normal();
      if (of_features) sample.effectiveness = 3 + sample.features[0] + sample.features[1];
      sample.effectiveness += 0.01 * random.next_normal();
      out.push_back(sample);
    }
  }
  return out;
}

// What the two evaluations are there to tell apart.
TEST(EvaluatePrediction, ALeakLooksLikeKnowledgeAsReleasedAndNotWhenGrouped) {
  constexpr int kWorlds = 5;
  std::vector<double> leaky(kRegressors.size(), 0), honest(kRegressors.size(), 0);
  for (std::uint32_t world = 0; world < kWorlds; ++world) {
    const auto scores = evaluate_prediction(made(15, false, world), 3, kKey, {2});
    for (std::size_t r = 0; r < scores.size(); ++r) {
      leaky[r] += *scores[r].as_released.mean / kWorlds;
      honest[r] += *scores[r].grouped.spearman / kWorlds;
      EXPECT_GT(scores[r].grouped.error, 0.8 * scores[r].grouped.constant_error);
    }
  }
  for (std::size_t r = 0; r < kRegressors.size(); ++r) {
    // A plane cannot hold 15 data sets in 6 features; the others can.
    EXPECT_GT(leaky[r], kRegressors[r] == Regressor::kRidge ? 0.3 : 0.75)
        << regressor_name(kRegressors[r]);
    EXPECT_LT(honest[r], 0.25) << regressor_name(kRegressors[r]);
    EXPECT_GT(leaky[r] - honest[r], 0.4) << regressor_name(kRegressors[r]);
    RecordProperty(regressor_name(kRegressors[r]),
                   std::to_string(leaky[r]) + " " + std::to_string(honest[r]));
  }
}

TEST(EvaluatePrediction, WhatFeaturesTellIsFoundByBoth) {
  for (const RegressorScore& score : evaluate_prediction(made(25, true), 5, kKey, {2})) {
    EXPECT_GT(*score.as_released.mean, 0.85) << regressor_name(score.regressor);
    EXPECT_GT(*score.grouped.spearman, 0.7) << regressor_name(score.regressor);
    EXPECT_LT(score.grouped.error, 0.75 * score.grouped.constant_error);
  }
}

TEST(EvaluatePrediction, NothingOfAHeldOutDataSetReachesItsPredictions) {
  const std::vector<PredictionSample> before = made(6, true);
  std::vector<PredictionSample> after = before;
  for (int fold = 0; fold < kFolds; ++fold) after[fold].effectiveness *= 50;
  after[0].features[1] += 1000;
  const auto a = evaluate_prediction(before, 1, kKey, {1}),
             b = evaluate_prediction(after, 1, kKey, {2});
  for (std::size_t r = 0; r < a.size(); ++r) {
    for (std::size_t i = 1; i < kFolds; ++i)
      EXPECT_EQ(a[r].grouped.predictions[i], b[r].grouped.predictions[i]);
    EXPECT_NE(a[r].grouped.predictions[kFolds], b[r].grouped.predictions[kFolds]);
  }
}

TEST(EvaluatePrediction, ErrorsAreRootMeanSquaresInUnitsOfEffectiveness) {
  const std::vector<PredictionSample> samples = made(4, true);
  const GroupedScore score = evaluate_prediction(samples, 1, kKey, {2})[0].grouped;
  double squares = 0, constant = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double others = 0;
    for (const PredictionSample& other : samples)
      if (other.dataset != samples[i].dataset) others += other.effectiveness / (3 * kFolds);
    squares += std::pow(score.predictions[i] - samples[i].effectiveness, 2) / (4 * kFolds);
    constant += std::pow(others - samples[i].effectiveness, 2) / (4 * kFolds);
  }
  EXPECT_NEAR(score.error, std::sqrt(squares), 1e-9);
  EXPECT_NEAR(score.constant_error, std::sqrt(constant), 1e-9);
}

TEST(EvaluatePrediction, IsAFunctionOfItsKey) {
  const std::vector<PredictionSample> samples = made(5, false);
  const auto a = evaluate_prediction(samples, 4, kKey, {1}),
             b = evaluate_prediction(samples, 4, kKey, {2});
  const auto c = evaluate_prediction(samples, 4, stream_key("another"), {1});
  for (std::size_t r = 0; r < a.size(); ++r) {
    EXPECT_EQ(a[r].as_released.mean, b[r].as_released.mean);
    EXPECT_EQ(a[r].as_released.sd, b[r].as_released.sd);
    EXPECT_EQ(a[r].grouped.predictions, b[r].grouped.predictions);
    EXPECT_NE(a[r].as_released.mean, c[r].as_released.mean);
    EXPECT_EQ(a[r].as_released.repeats, 4);
  }
}

TEST(EvaluatePrediction, ConstantEffectivenessHasNoCorrelation) {
  std::vector<PredictionSample> samples = made(3, false);
  for (PredictionSample& sample : samples) sample.effectiveness = 0.1;
  for (const RegressorScore& score : evaluate_prediction(samples, 3, kKey, {2})) {
    EXPECT_FALSE(score.as_released.mean);
    EXPECT_EQ(score.as_released.repeats, 0);
    EXPECT_FALSE(score.grouped.spearman);
    EXPECT_EQ(score.grouped.constant_error, 0);
  }
}

TEST(EvaluatePrediction, Refuses) {
  EXPECT_THROW((void)evaluate_prediction(made(2, true), 3, kKey, {2}), Error);
  EXPECT_THROW((void)evaluate_prediction({}, 3, kKey, {2}), Error);
  EXPECT_THROW((void)evaluate_prediction(made(3, true), 0, kKey, {2}), Error);
  std::vector<PredictionSample> samples = made(3, true);
  samples[4].features[2] = std::nan("");
  EXPECT_THROW((void)evaluate_prediction(samples, 3, kKey, {2}), Error);
}

}  // namespace
}  // namespace cupel
