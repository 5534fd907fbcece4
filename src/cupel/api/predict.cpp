#include "cupel/api/predict.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "cupel/api/load.h"
#include "cupel/judge/prediction/features.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

PredictOutcome predict_effectiveness(const PredictRequest& request) {
  const StoredResults of = stored_results(request.pairs.read);
  const Threads threads{available_processors()};
  PredictOutcome out;
  out.protocol = of.results.protocol;
  out.request = pairs_of(request.pairs, of.results);
  out.repeats = request.repeats;
  out.data = prediction_data(of.results, of.protocol, out.request,
                             plan_sources(existing_data_folder(request.data)), threads);
  out.scores = evaluate_prediction(out.data.samples, request.repeats,
                                   stream_key("prediction/" + out.protocol), threads);
  return out;
}

std::vector<PredictedDataset> by_dataset(const PredictOutcome& outcome) {
  std::vector<PredictedDataset> out;
  for (std::size_t i = 0; i < outcome.data.samples.size(); ++i) {
    const PredictionSample& sample = outcome.data.samples[i];
    if (out.empty() || out.back().dataset != sample.dataset)
      out.push_back({sample.dataset, 0, 0, std::vector<double>(outcome.scores.size(), 0)});
    PredictedDataset& group = out.back();
    ++group.splits;
    group.effectiveness += sample.effectiveness;
    for (std::size_t r = 0; r < outcome.scores.size(); ++r)
      group.predictions[r] += outcome.scores[r].grouped.predictions[i];
  }
  for (PredictedDataset& group : out) {
    group.effectiveness /= group.splits;
    for (double& prediction : group.predictions) prediction /= group.splits;
  }
  return out;
}

nlohmann::ordered_json outcome_json(const PredictOutcome& outcome) {
  Json out;
  out["protocol"] = outcome.protocol;
  out["repeats"] = outcome.repeats;
  out["regressors"] = Json::array();
  for (const RegressorScore& score : outcome.scores) {
    const AsReleasedScore& released = score.as_released;
    const GroupedScore& grouped = score.grouped;
    out["regressors"].push_back({{"regressor", regressor_name(score.regressor)},
                                 {"as_released",
                                  {{"spearman", number(released.mean)},
                                   {"sd", number(released.sd)},
                                   {"repeats", released.repeats}}},
                                 {"grouped",
                                  {{"spearman", number(grouped.spearman)},
                                   {"rmse", grouped.error},
                                   {"constant_rmse", grouped.constant_error}}}});
  }
  const auto names = prediction_feature_names();
  out["samples"] = Json::array();
  for (std::size_t i = 0; i < outcome.data.samples.size(); ++i) {
    const PredictionSample& sample = outcome.data.samples[i];
    Json features, predictions;
    for (std::size_t f = 0; f < names.size(); ++f) features[names[f]] = sample.features[f];
    for (const RegressorScore& score : outcome.scores)
      predictions[regressor_name(score.regressor)] = score.grouped.predictions[i];
    out["samples"].push_back({{"dataset", sample.dataset},
                              {"split", sample.split},
                              {"effectiveness", sample.effectiveness},
                              {"grouped", std::move(predictions)},
                              {"features", std::move(features)}});
  }
  out["notes"] = outcome.data.notes;
  return out;
}

}  // namespace cupel
