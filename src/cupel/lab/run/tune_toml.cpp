// What a search found, as text of protocols.
#include <algorithm>

#include "cupel/base/names.h"
#include "cupel/base/visible.h"
#include "cupel/lab/protocol/row_toml.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/run/trial_row.h"
#include "cupel/lab/run/tune.h"

namespace cupel {
namespace {

std::string search_text(const TuneResult& result) {
  return fmt::format(
      "# Found by {} search: {} trials a model by seed {}, validation {} on {},\n# splits {} to "
      "{}, {} initialisation{} each. Searched was {}@{}, numerics {}.\n",
      result.method, result.budget, result.seed, result.metric,
      visible_line(fmt::format("{}", fmt::join(result.datasets, ", "))), result.first_split,
      result.first_split + result.splits - 1, result.inits, result.inits == 1 ? "" : "s",
      visible_line(result.protocol), result.version, kNumericsVersion);
}

// What the best trials of a model scored, as comments.
std::string scores_text(const TuneResult& result, const TuneModel& model) {
  const auto complete = std::ranges::count_if(
      model.trials, [](const TuneTrial& trial) { return trial.score.has_value(); });
  std::string out = "\n";
  if (model.best < 0) {
    out += fmt::format("# {}: no trial is complete\n", visible_line(model.model));
  } else {
    const TuneTrial& best = model.trials[static_cast<std::size_t>(model.best)];
    out +=
        fmt::format("# {:.4f}, trial {} of {} complete ones\n", *best.score, best.number, complete);
  }
  for (std::size_t d = 0; result.by_dataset && d < result.datasets.size(); ++d) {
    if (model.best_on[d] < 0) continue;
    const TuneTrial& best = model.trials[static_cast<std::size_t>(model.best_on[d])];
    out += fmt::format("# {}: {:.4f}, trial {}\n", visible_line(result.datasets[d]),
                       best.by_dataset[d], best.number);
  }
  return out;
}

// A trial, and the data sets whose settings are its.
struct TrialOnDatasets {
  int trial = 0;  // index
  std::vector<std::string> datasets;
};

// The best trial on a data set: its own where that was asked for, else that of all.
int best_on(const TuneResult& result, const TuneModel& model, const std::string& dataset) {
  for (std::size_t d = 0; result.by_dataset && d < result.datasets.size(); ++d)
    if (same_name(result.datasets[d], dataset)) return model.best_on[d];
  return model.best;
}

bool speaks_of(const RowCase& special, const Settings& trial) {
  return std::ranges::any_of(trial, [&](const auto& setting) {
    const std::string& name = setting.first;
    return special.settings.contains(name) ||
           std::ranges::any_of(special.choices,
                               [&](const ChoiceDimension& dimension) {
                                 return std::ranges::count(dimension.settings, name) > 0;
                               }) ||
           std::ranges::any_of(special.train.fields,
                               [&](const auto& field) { return field.first == rule_choice(name); });
  });
}

// The data sets on which a row has to say a trial's settings once more: those that have another
// best trial than all together, and those on which one of `cases` says otherwise.
std::vector<TrialOnDatasets> special_trials(const TuneResult& result, const TuneModel& model,
                                            const std::vector<RowCase>& cases) {
  std::vector<TrialOnDatasets> out;
  std::vector<std::string> named;
  const auto add = [&](const std::string& dataset) {
    const int trial = best_on(result, model, dataset);
    if (trial < 0 || has_name(named, dataset)) return;
    named.push_back(dataset);
    auto found = std::ranges::find(out, trial, &TrialOnDatasets::trial);
    if (found == out.end()) found = out.insert(out.end(), {trial, {}});
    found->datasets.push_back(dataset);
  };
  for (const std::string& dataset : result.datasets)
    if (best_on(result, model, dataset) != model.best) add(dataset);
  for (const RowCase& special : cases) {
    if (!speaks_of(special, model.trials.front().settings)) continue;
    for (const std::string& dataset : special.datasets) add(dataset);
  }
  return out;
}

void add_cases(ModelRow& row, bool trains_itself, const TuneModel& model,
               const std::vector<TrialOnDatasets>& special) {
  for (const auto& [trial, datasets] : special) {
    RowCase& own = row.cases.emplace_back();
    own.datasets = datasets;
    own.where = row.where;
    put_trial(own, trains_itself, model.trials[static_cast<std::size_t>(trial)].settings);
  }
}

}  // namespace

std::string tune_toml(const TuneResult& result, const Protocol& protocol) {
  std::string out = search_text(result);
  for (const TuneModel& model : result.models) {
    out += scores_text(result, model);
    if (model.best < 0) continue;
    ModelRow row = with_trial(*protocol.find_model(model.model),
                              model.trials[static_cast<std::size_t>(model.best)].settings);
    add_cases(row, row.external.has_value(), model, special_trials(result, model, {}));
    out += row_toml(row);
  }
  return out;
}

std::string tuned_changes(const TuneResult& result, const Protocol& protocol) {
  std::string out = search_text(result);
  bool any = false;
  for (const TuneModel& model : result.models) {
    const ModelRow& row = *protocol.find_model(model.model);
    const std::vector<TrialOnDatasets> special = special_trials(result, model, row.cases);
    out += scores_text(result, model);
    if (model.best < 0 && special.empty()) continue;
    any = true;
    ModelRow changes;
    changes.name = changes.model = row.name;
    changes.where = row.where;
    // The row of a function may be in no file.
    if (row.external && !row.external->function.empty()) changes.external = row.external;
    if (model.best >= 0)
      put_trial(changes, row.external.has_value(),
                model.trials[static_cast<std::size_t>(model.best)].settings);
    add_cases(changes, row.external.has_value(), model, special);
    out += row_toml(changes);
  }
  return any ? out : "";
}

}  // namespace cupel
