#include "cupel/lab/run/tune.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/base/random.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/run/trial_row.h"
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

std::string trial_name(const std::string& model, int number) {
  return fmt::format("{}#{}", model, number);
}

// The first of those whose score no other's beats; -1: none has one.
int best_of(const std::vector<std::optional<double>>& scores, const MetricScale& scale) {
  int best = -1;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i]) continue;
    if (best < 0 || scale.is_better(*scores[i], *scores[static_cast<std::size_t>(best)]))
      best = static_cast<int>(i);
  }
  return best;
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
  spec.by_dataset |= options.by_dataset;
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
               .version = protocol.version,
               .method = spec.method,
               .metric = protocol.metric,
               .scale = scale_of_metric(protocol.metric),
               .budget = spec.budget,
               .splits = spec.splits,
               .inits = spec.inits,
               .first_split = spec.first_split,
               .seed = spec.seed,
               .by_dataset = spec.by_dataset,
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
        const int expected = cell->splits * inits;
        trial.expected += expected;
        trial.runs += runs;
        trial.complete_on.push_back(runs == expected && expected > 0);
        trial.by_dataset.push_back(runs > 0 ? score / runs : std::nan(""));
        sum += trial.by_dataset.back();
      }
      if (trial.runs == trial.expected && trial.expected > 0)
        trial.score = sum / static_cast<double>(trial.by_dataset.size());
    }
    std::vector<std::optional<double>> scores;
    for (const TuneTrial& trial : model.trials) scores.push_back(trial.score);
    model.best = best_of(scores, out.scale);
    for (std::size_t d = 0; d < out.datasets.size(); ++d) {
      scores.clear();
      for (const TuneTrial& trial : model.trials)
        scores.push_back(trial.complete_on[d] ? std::optional(trial.by_dataset[d]) : std::nullopt);
      model.best_on.push_back(best_of(scores, out.scale));
    }
  }
  return out;
}

}  // namespace cupel
