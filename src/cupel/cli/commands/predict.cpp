// cupel predict: can the effectiveness of data sets be predicted from what their graphs look like?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cupel/api/predict.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/pairs.h"
#include "cupel/cli/text.h"
#include "cupel/judge/prediction/features.h"
#include "cupel/judge/report/print.h"

namespace cupel::cli {
namespace {

struct Arguments {
  PredictRequest request;
  DataArgument data;
  bool json = false;
};

std::string digits(const std::optional<double>& value, int decimals) {
  return value ? report::fixed(*value, decimals) : "–";
}

std::string scores_text(const PredictOutcome& outcome) {
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

std::string groups_text(const PredictOutcome& outcome,
                        const std::vector<PredictedDataset>& groups) {
  Columns columns("lrr" + std::string(outcome.scores.size(), 'r'));
  std::vector<std::string> head = {"DATA SET", "SPLITS", "E"};
  for (const RegressorScore& score : outcome.scores)
    head.push_back(regressor_name(score.regressor));
  columns.row(std::move(head));
  for (const PredictedDataset& group : groups) {
    std::vector<std::string> cells = {report::printable(group.dataset),
                                      std::to_string(group.splits),
                                      report::fixed(group.effectiveness, 4)};
    for (const double prediction : group.predictions) cells.push_back(report::fixed(prediction, 4));
    columns.row(std::move(cells));
  }
  return columns.text();
}

std::string legend_text(const PredictOutcome& outcome, std::size_t datasets) {
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

std::string text_of(const PredictOutcome& outcome) {
  const std::vector<PredictedDataset> groups = by_dataset(outcome);
  std::string out = fmt::format("Prediction of effectiveness, {}\n\n{}\n{}\n{}",
                                report::printable(outcome.protocol), scores_text(outcome),
                                legend_text(outcome, groups.size()), groups_text(outcome, groups));
  if (!outcome.data.notes.empty())
    out += "\n" + wrap(fmt::format("{}.", fmt::join(outcome.data.notes, "; ")));
  return out;
}

int perform(const Arguments& arguments) {
  PredictRequest request = arguments.request;
  request.data = arguments.data.given;
  const PredictOutcome outcome = predict_effectiveness(request);
  print_out(arguments.json ? json_text(outcome_json(outcome)) : text_of(outcome));
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  arguments->request.pairs.read.command = "predict";
  add_pairs(syntax, arguments->request.pairs);
  syntax.count("--repeats", arguments->request.repeats,
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
