// How well effectiveness is predicted, in two ways.
//
//   as-released  as the code of Li et al. 2024 has it: features and targets are standardised with
//                the statistics of all samples before any of them is held out, and samples are
//                split at random, int(0.7 n) to train. Folds of a data set share 9 of 10 graphs, so
//                that nearly every test sample has its like in the training part: this says how
//                well a data set is recognised.
//   grouped      one data set is held out after the other, and everything is learnt from the rest.
//
// Scores are Spearman's correlations of predictions and targets.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/judge/prediction/regressors.h"

namespace cupel {

// One fold of a data set: features of its graphs and their effectiveness.
struct PredictionSample {
  std::string dataset;
  int split = 0;
  RegressionRow features;
  double effectiveness = 0;
};

struct AsReleasedScore {
  std::optional<double> mean, sd;  // over the repeats with a correlation, sd over n; absent if none
  int repeats = 0;                 // with a correlation: neither side is constant
};

struct GroupedScore {
  std::optional<double> spearman;   // over all held-out predictions; absent if they are constant
  double error = 0;                 // root mean square, in units of effectiveness
  double constant_error = 0;        // of the mean of the other data sets' samples instead
  std::vector<double> predictions;  // one per sample
};

struct RegressorScore {
  Regressor regressor = Regressor::kRidge;
  AsReleasedScore as_released;
  GroupedScore grouped;
};

inline constexpr std::size_t kFewestPredictionDatasets = 3;

// Throws Error for fewer data sets than these: with two, one would be predicted from the other
// alone.
void check_prediction_datasets(const std::vector<std::string>& datasets);

// All regressors. The same key gives the same, on any number of threads. A constant feature is 0
// once standardised. Throws Error for too few data sets, fewer repeats than one, or a sample that
// is not finite.
[[nodiscard]] std::vector<RegressorScore> evaluate_prediction(
    std::span<const PredictionSample> samples, int repeats, StreamKey key, Threads threads);

}  // namespace cupel
