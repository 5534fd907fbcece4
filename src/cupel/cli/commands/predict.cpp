// cupel predict: can the effectiveness of data sets be predicted from what their graphs look like?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/pairs.h"
#include "cupel/cli/text.h"
#include "cupel/judge/prediction/features.h"
#include "cupel/judge/prediction/samples.h"
#include "cupel/judge/report/print.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments : PairsRequest {
  DataArgument data;
  int repeats = 20;
  bool json = false;
};

struct Outcome {
  std::string protocol;
  EffectivenessRequest request;
  PredictionData data;
  std::vector<RegressorScore> scores;
  int repeats = 0;
};

// Means over the splits of each data set.
struct Group {
  std::string dataset;
  int splits = 0;
  double effectiveness = 0;
  std::vector<double> predictions;  // by regressor, grouped
};

std::vector<Group> groups_of(const Outcome& outcome) {
  std::vector<Group> out;
  for (std::size_t i = 0; i < outcome.data.samples.size(); ++i) {
    const PredictionSample& sample = outcome.data.samples[i];
    if (out.empty() || out.back().dataset != sample.dataset)
      out.push_back({sample.dataset, 0, 0, std::vector<double>(outcome.scores.size(), 0)});
    Group& group = out.back();
    ++group.splits;
    group.effectiveness += sample.effectiveness;
    for (std::size_t r = 0; r < outcome.scores.size(); ++r)
      group.predictions[r] += outcome.scores[r].grouped.predictions[i];
  }
  for (Group& group : out) {
    group.effectiveness /= group.splits;
    for (double& prediction : group.predictions) prediction /= group.splits;
  }
  return out;
}

// ---- JSON ---------------------------------------------------------------------------------------

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string json_of(const Outcome& outcome) {
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
  return json_text(out);
}

// ---- text ---------------------------------------------------------------------------------------

std::string digits(const std::optional<double>& value, int decimals) {
  return value ? report::fixed(*value, decimals) : "–";
}

std::string scores_text(const Outcome& outcome) {
  Columns columns("lrrrr");
  columns.row({"REGRESSOR", "AS RELEASED", "GROUPED", "RMSE", "CONSTANT"});
  for (const RegressorScore& score : outcome.scores) {
    const AsReleasedScore& released = score.as_released;
    columns.row({regressor_name(score.regressor),
                 released.mean
                     ? fmt::format("{} ± {}", digits(released.mean, 3), digits(released.sd, 3))
                     : "–",
                 digits(score.grouped.spearman, 3), report::fixed(score.grouped.error, 4),
                 report::fixed(score.grouped.constant_error, 4)});
  }
  return columns.text();
}

std::string groups_text(const Outcome& outcome, const std::vector<Group>& groups) {
  Columns columns("lrr" + std::string(outcome.scores.size(), 'r'));
  std::vector<std::string> head = {"DATA SET", "SPLITS", "E"};
  for (const RegressorScore& score : outcome.scores)
    head.push_back(regressor_name(score.regressor));
  columns.row(std::move(head));
  for (const Group& group : groups) {
    std::vector<std::string> cells = {report::printable(group.dataset),
                                      std::to_string(group.splits),
                                      report::fixed(group.effectiveness, 4)};
    for (const double prediction : group.predictions) cells.push_back(report::fixed(prediction, 4));
    columns.row(std::move(cells));
  }
  return columns.text();
}

std::string legend_text(const Outcome& outcome, std::size_t datasets) {
  std::string out;
  for (const auto& [name, rows] : {std::pair{"structure", &outcome.request.structure},
                                   {"attributes", &outcome.request.attributes}})
    if (*rows) out += wrap(fmt::format("E by {}: {}.", name, rows_text(**rows)));
  out += wrap(fmt::format(
      "Samples: {} of {} data sets, one for each split; of structure and attributes E is the mean "
      "(Li et al. 2024, equation 1). Features: {} numbers of the split's training and validation "
      "graphs.",
      outcome.data.samples.size(), datasets, kPredictionFeatures));
  out += wrap(fmt::format(
      "AS RELEASED: Spearman's correlation on a random 30 % of samples, mean and sd over {} "
      "repeats, as their code has it: other splits of the same data sets, with nearly the same "
      "graphs, are in the training part, and all samples are scaled together. It says how well a "
      "data set is recognised.",
      outcome.repeats));
  out += wrap(
      "GROUPED: the same of predictions for data sets that were held out as a whole. RMSE: their "
      "error; CONSTANT: that of predicting the mean of the other data sets, which a regressor that "
      "has learnt something stays below. Predictions below are these.");
  return out;
}

std::string text_of(const Outcome& outcome) {
  const std::vector<Group> groups = groups_of(outcome);
  std::string out = fmt::format("Prediction of effectiveness, {}\n\n{}\n{}\n{}",
                                report::printable(outcome.protocol), scores_text(outcome),
                                legend_text(outcome, groups.size()), groups_text(outcome, groups));
  if (!outcome.data.notes.empty())
    out += "\n" + wrap(fmt::format("{}.", fmt::join(outcome.data.notes, "; ")));
  return out;
}

// ---- the command --------------------------------------------------------------------------------

int perform(const Arguments& arguments) {
  const StoredResults of = stored_results(arguments.read);
  const Threads threads{available_processors()};
  Outcome outcome;
  outcome.protocol = of.results.protocol;
  outcome.request = pairs_of(arguments, of.results);
  outcome.repeats = arguments.repeats;
  outcome.data = prediction_data(of.results, of.protocol, outcome.request,
                                 plan_sources(arguments.data.folder()), threads);
  outcome.scores = evaluate_prediction(outcome.data.samples, arguments.repeats,
                                       stream_key("prediction/" + outcome.protocol), threads);
  print_out(arguments.json ? json_of(outcome) : text_of(outcome));
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  arguments->read.command = "predict";
  add_pairs(syntax, *arguments);
  syntax.count("--repeats", arguments->repeats,
               "Random divisions of the released evaluation\n(default: 20)");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_predict;
const Command command_predict = {Topic::kResults, "predict",
                                 "Can effectiveness be predicted from graphs?", declare};

}  // namespace cupel::cli
