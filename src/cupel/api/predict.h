// Whether the effectiveness of a store's data sets can be predicted from what their graphs look
// like.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cupel/api/pairs.h"
#include "cupel/judge/prediction/samples.h"

namespace cupel {

struct PredictRequest {
  PairsRequest pairs;
  std::string data;  // the folder of data sets, see existing_data_folder()
  int repeats = 20;  // random divisions of the released evaluation
};

struct PredictOutcome {
  std::string protocol;
  EffectivenessRequest request;
  PredictionData data;
  std::vector<RegressorScore> scores;
  int repeats = 0;
};

// Reads results and data, and evaluates all regressors; the same request of the same data gives the
// same, on any number of threads. Throws Error as stored_results(), pairs_of(), prediction_data()
// and evaluate_prediction() do, and for a folder of data that is not there.
[[nodiscard]] PredictOutcome predict_effectiveness(const PredictRequest& request);

// Means over the splits of each data set.
struct PredictedDataset {
  std::string dataset;
  int splits = 0;
  double effectiveness = 0;
  std::vector<double> predictions;  // by regressor, grouped
};
// In the order of the samples.
[[nodiscard]] std::vector<PredictedDataset> by_dataset(const PredictOutcome& outcome);

// As `cupel predict --json` prints it.
[[nodiscard]] nlohmann::ordered_json outcome_json(const PredictOutcome& outcome);

}  // namespace cupel
