#include "cupel/lab/run/tune.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/protocol/row_toml.h"
#include "cupel/lab/protocol/rule_choices.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

enum Purpose : std::uint32_t { kGridOrder = 1, kRandomTrial = 2 };

StreamKey search_key(const SearchSpace& space, std::uint32_t seed) {
  return stream_key(fmt::format("tune/{}/{}", space.model, seed));
}

Settings grid_point(const SearchSpace& space, std::uint64_t index) {
  Settings out;
  for (const SearchDimension& dimension : space.dimensions) {
    const std::uint64_t size = dimension.choices.size();
    out[dimension.setting] = dimension.choices[index % size];
    index /= size;
  }
  return out;
}

// The beginning of a keyed shuffle of all points; only the positions that were touched are held.
std::vector<Settings> grid_settings(const SearchSpace& space, int budget, std::uint32_t seed) {
  std::uint64_t points = 1;
  for (const SearchDimension& dimension : space.dimensions) {
    points *= dimension.choices.size();
    if (points > 0xFFFFFFFFu)
      fail("{}: the grid has more than four thousand million points; use method 'random'",
           space.where);
  }
  Stream stream(search_key(space, seed), kGridOrder);
  std::unordered_map<std::uint64_t, std::uint64_t> moved;
  const auto at = [&](std::uint64_t i) {
    const auto found = moved.find(i);
    return found == moved.end() ? i : found->second;
  };
  std::vector<Settings> out;
  for (std::uint64_t i = 0; i < points && i < static_cast<std::uint64_t>(budget); ++i) {
    const std::uint64_t j = i + stream.next_below(static_cast<std::uint32_t>(points - i));
    out.push_back(grid_point(space, at(j)));
    moved[j] = at(i);
  }
  return out;
}

// Few digits: a configuration should survive being read aloud, and no library's last bit of exp()
// should make another model of it.
// Within the range, whose ends may have more digits.
double rounded(double value, const SearchDimension& within) {
  return std::clamp(std::stod(fmt::format("{:.4g}", value)), within.low, within.high);
}

std::vector<Settings> random_settings(const SearchSpace& space, int budget, std::uint32_t seed) {
  std::vector<Settings> out;
  std::set<Settings> drawn;
  const StreamKey key = search_key(space, seed);
  // A small space repeats itself; give up when it seems to be used up.
  const std::uint32_t attempts = 50u + 20u * static_cast<std::uint32_t>(budget);
  for (std::uint32_t i = 0; i < attempts && out.size() < static_cast<std::size_t>(budget); ++i) {
    Stream stream(key, kRandomTrial, i);
    Settings settings;
    for (const SearchDimension& d : space.dimensions) {
      OptionValue& value = settings[d.setting];
      switch (d.kind) {
        case SearchDimension::Kind::kChoices:
          value = d.choices[stream.next_below(static_cast<std::uint32_t>(d.choices.size()))];
          break;
        case SearchDimension::Kind::kUniform:
          value = rounded(d.low + stream.next_unit() * (d.high - d.low), d);
          break;
        case SearchDimension::Kind::kLogUniform:
          value = rounded(d.low * std::exp(stream.next_unit() * std::log(d.high / d.low)), d);
          break;
      }
    }
    if (drawn.insert(settings).second) out.push_back(std::move(settings));
  }
  return out;
}

// The row with a trial's settings, which may be of the training rule as those of choices. They
// stand in for the row's own choices; one that the search does not cover would have no value.
ModelRow with_trial(ModelRow row, const Settings& trial) {
  const auto check = [&](const std::vector<ChoiceDimension>& choices) {
    for (const ChoiceDimension& dimension : choices) {
      for (const std::string& name : dimension.settings) {
        if (!trial.contains(name))
          fail("{}: '{}' is chosen from a list, and the search of '{}' does not cover it",
               dimension.where, name, row.name);
      }
    }
  };
  check(row.choices);
  row.choices.clear();
  for (RowCase& special : row.cases) {
    check(special.choices);
    special.choices.clear();
    for (const auto& [name, value] : trial) {
      special.settings.erase(name);
      const RuleField* field = rule_choice(name);
      std::erase_if(special.train.fields, [&](const auto& one) { return one.first == field; });
    }
  }
  for (const auto& [name, value] : trial)
    if (row.external || !set_rule_choice(row.train, row.where, name, value))
      row.settings[name] = value;
  return row;
}

std::string trial_name(const std::string& model, int number) {
  return fmt::format("{}#{}", model, number);
}

}  // namespace

std::vector<Settings> trial_settings(const SearchSpace& space, const std::string& method,
                                     int budget, std::uint32_t seed) {
  return method == "grid" ? grid_settings(space, budget, seed)
                          : random_settings(space, budget, seed);
}

TunePlan make_tune_plan(const Protocol& protocol, const TuneOptions& options,
                        const PlanSources& sources) {
  if (!protocol.tune)
    fail("protocol '{}' has no [tune] section, so there is nothing to search", protocol.name);
  TuneSpec spec = *protocol.tune;
  if (!options.method.empty()) {
    if (options.method != "grid" && options.method != "random")
      fail("--method cannot be '{}'; it is grid or random", options.method);
    spec.method = options.method;
  }
  constexpr int kLargestBudget = 1'000'000;  // as of a protocol
  if (options.budget > kLargestBudget)
    fail("--budget: {} trials of each model are too many; {} is the most", options.budget,
         kLargestBudget);
  if (options.budget > 0) spec.budget = options.budget;
  if (options.splits > 0) spec.splits = options.splits;
  if (options.inits > 0) spec.inits = options.inits;
  if (!options.datasets.empty()) spec.datasets = options.datasets;
  if (const TableSpec* table = protocol.table_of_splits(spec.first_split, spec.splits))
    fail("{}: {} splits from {} on reach into those of table '{}'", spec.where, spec.splits,
         spec.first_split, table->id);
  for (const std::string& name : options.models) {
    const auto& spaces = spec.spaces();
    if (std::none_of(spaces.begin(), spaces.end(),
                     [&](const SearchSpace& space) { return same_name(space.model, name); }))
      fail("--models: protocol '{}' has no [tune.{}.{}]", protocol.name, spec.method, name);
  }

  // A protocol whose rows are the trials, so that plans are made in one way only.
  Protocol search = protocol;
  search.models.clear();
  search.published.clear();
  TableSpec table;
  table.id = "tune";
  table.where = spec.where;
  table.split = protocol.split;
  table.split.first = spec.first_split;
  table.split.count = spec.splits;
  table.task_settings = protocol.task_settings;
  table.inits = spec.inits;
  table.datasets = spec.datasets;

  TunePlan out;
  out.empty = {.protocol = protocol.name,
               .method = spec.method,
               .metric = protocol.metric,
               .scale = scale_of_metric(protocol.metric),
               .budget = spec.budget,
               .splits = spec.splits,
               .inits = spec.inits,
               .first_split = spec.first_split,
               .datasets = spec.datasets};
  if (!protocol.metric_two_classes.empty() && protocol.metric_two_classes != protocol.metric)
    out.empty.metric +=
        fmt::format(" ({} where there are two classes)", protocol.metric_two_classes);
  for (const SearchSpace& space : spec.spaces()) {
    if (!wanted(options.models, space.model)) continue;
    TuneModel model;
    model.model = space.model;
    for (Settings& settings : trial_settings(space, spec.method, spec.budget, spec.seed)) {
      TuneTrial trial;
      trial.number = static_cast<int>(model.trials.size()) + 1;
      ModelRow row = *protocol.find_model(space.model);
      row.where = space.where;
      row = with_trial(std::move(row), settings);
      row.name = trial_name(space.model, trial.number);
      trial.settings = std::move(settings);
      table.models.push_back(row.name);
      search.models.push_back(std::move(row));
      model.trials.push_back(std::move(trial));
    }
    out.empty.models.push_back(std::move(model));
  }
  search.tables = {table};
  if (search.models.empty())
    fail("{}: there is no [tune.{}.MODEL] to search; write one, or take the other method",
         spec.where, spec.method);
  out.plan = make_plan(search, {}, sources);
  for (PlannedCell& cell : out.plan.cells) {
    auto trial = std::make_shared<Family>(*cell.family);
    trial->scores_test = false;
    trial->row = cell.model;
    seal(*trial);
    cell.family = std::move(trial);
  }
  return out;
}

TuneResult tune_result(const TunePlan& plan, const Store& store) {
  TuneResult out = plan.empty;
  std::unordered_map<std::string, std::vector<const PlannedCell*>> cells;
  for (const PlannedCell& cell : plan.plan.cells) cells[cell.model].push_back(&cell);
  for (TuneModel& model : out.models) {
    for (TuneTrial& trial : model.trials) {
      double sum = 0;
      for (const PlannedCell* cell : cells[trial_name(model.model, trial.number)]) {
        const Family& family = *cell->family;
        const int inits = family.model.deterministic ? 1 : cell->inits;
        const int last = cell->first_split + cell->splits;
        int runs = 0;
        double score = 0;
        for (const StoredRun& run : store.runs(family.id)) {
          if (run.split < cell->first_split || run.split >= last || run.init >= inits) continue;
          if (!run.record.valid_score) continue;
          ++runs;
          score += *run.record.valid_score;
        }
        trial.expected += cell->splits * inits;
        trial.runs += runs;
        trial.by_dataset.push_back(runs > 0 ? score / runs : std::nan(""));
        sum += trial.by_dataset.back();
      }
      if (trial.runs == trial.expected && trial.expected > 0)
        trial.score = sum / static_cast<double>(trial.by_dataset.size());
    }
    for (std::size_t i = 0; i < model.trials.size(); ++i) {
      const auto& score = model.trials[i].score;
      if (!score) continue;
      if (model.best < 0 ||
          out.scale.is_better(*score, *model.trials[static_cast<std::size_t>(model.best)].score))
        model.best = static_cast<int>(i);
    }
  }
  return out;
}

std::string tune_toml(const TuneResult& result, const Protocol& protocol) {
  std::string out = fmt::format(
      "# Found by {} search: {} trials a model, validation {} on {},\n# splits {} to {}, {} "
      "initialisation{} each.\n",
      result.method, result.budget, result.metric, fmt::join(result.datasets, ", "),
      result.first_split, result.first_split + result.splits - 1, result.inits,
      result.inits == 1 ? "" : "s");
  for (const TuneModel& model : result.models) {
    const auto complete =
        std::count_if(model.trials.begin(), model.trials.end(),
                      [](const TuneTrial& trial) { return trial.score.has_value(); });
    if (model.best < 0) {
      out += fmt::format("\n# {}: no trial is complete\n", model.model);
      continue;
    }
    const TuneTrial& best = model.trials[static_cast<std::size_t>(model.best)];
    out += fmt::format("\n# {:.4f}, trial {} of {} complete ones\n", *best.score, best.number,
                       complete);
    out += row_toml(with_trial(*protocol.find_model(model.model), best.settings));
  }
  return out;
}

}  // namespace cupel
