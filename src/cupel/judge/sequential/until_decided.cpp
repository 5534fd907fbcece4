#include "cupel/judge/sequential/until_decided.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/judge/report/build.h"
#include "cupel/judge/stats/sequential.h"
#include "cupel/lab/plan/split_design.h"
#include "cupel/lab/results/load.h"

namespace cupel {
namespace {

// A cell on its way to a decision.
struct OpenCell {
  CellName name;
  std::vector<PlannedCell> configurations;
  Looks looks;
  std::vector<int> sizes;  // of the looks
  bool over_inits = false;
  std::size_t taken = 0;  // looks
  std::size_t asked = 0;  // looks whose runs were asked for
  Verdict verdict = Verdict::kUndecided;
  double doubt = std::numeric_limits<double>::infinity();  // runs that a decision may take
  bool stuck = false;                                      // its runs cannot be made
  bool given_up = false;                                   // they would not decide it

  // A cell without runs is as open as one whose runs do not say.
  [[nodiscard]] bool open() const {
    const bool decided = verdict == Verdict::kEquivalent || verdict == Verdict::kDifferent;
    return !decided && !stuck && !given_up && taken < sizes.size();
  }
  // What the next look asks for.
  [[nodiscard]] std::vector<PlannedCell> next() const {
    std::vector<PlannedCell> cells = configurations;
    for (PlannedCell& cell : cells) {
      cell.splits = over_inits ? looks.splits : sizes[taken];
      cell.inits = cell.select_inits + (over_inits ? sizes[taken] : looks.inits);
    }
    return cells;
  }
};

// Runs of a cell on so many splits, `inits` of them for assessment on each. Where some only choose,
// those of all configurations and the others of the chosen one.
std::int64_t runs_of(const std::vector<PlannedCell>& configurations, int splits, int inits) {
  const PlannedCell& first = configurations.front();
  std::int64_t on_a_split = 0;
  for (const PlannedCell& cell : configurations)
    on_a_split += cell.family->model.deterministic ? 1
                  : cell.select_inits > 0          ? cell.select_inits
                                                   : inits;
  if (first.select_inits > 0 && !first.family->model.deterministic) on_a_split += inits;
  return on_a_split * splits;
}

bool over_inits(const Protocol& protocol, const PlannedCell& cell) {
  return design_of(protocol.find_table(cell.table)->split).shared;
}

std::vector<OpenCell> targets_of(const Protocol& protocol, const Plan& plan,
                                 UntilSummary& summary) {
  std::vector<OpenCell> targets;
  for (const PlannedCell& cell : plan.cells) {
    const CellName name{cell.table, cell.dataset, cell.model};
    const auto known = std::find_if(targets.begin(), targets.end(),
                                    [&](const OpenCell& t) { return t.name == name; });
    if (known != targets.end()) {
      known->configurations.push_back(cell);
      continue;
    }
    OpenCell target;
    target.name = name;
    target.configurations = {cell};
    target.looks = {cell.splits, cell.inits - cell.select_inits};
    target.over_inits = over_inits(protocol, cell);
    const SplitDesign design = design_of(protocol.find_table(cell.table)->split);
    target.sizes = target.over_inits ? look_schedule(1, 1, target.looks.inits)
                                     : look_schedule(kFewestDraws, std::max(1, design.folds),
                                                     target.looks.splits);
    targets.push_back(std::move(target));
  }
  for (const OpenCell& target : targets) {
    const PlannedCell& first = target.configurations.front();
    summary.full_runs +=
        runs_of(target.configurations, first.full_splits, first.full_inits - first.select_inits);
  }
  summary.cells = static_cast<int>(targets.size());
  return targets;
}

// The results of some cells alone, as others do not change their verdicts.
Results only(const Results& results, const std::vector<OpenCell*>& targets) {
  Results out = results;
  out.tables.clear();
  for (const TableResults& table : results.tables) {
    if (table.kind != "scores") continue;
    TableResults part = table;
    part.cells.clear();
    for (const CellResults& cell : table.cells) {
      if (std::any_of(targets.begin(), targets.end(), [&](const OpenCell* t) {
            return t->name == CellName{table.id, cell.dataset, cell.model};
          }))
        part.cells.push_back(cell);
    }
    part.models.clear();
    part.datasets.clear();
    if (!part.cells.empty()) out.tables.push_back(std::move(part));
  }
  return out;
}

void judge_targets(const Store& store, const Protocol& protocol,
                   const std::vector<OpenCell*>& targets, const std::optional<double>& delta) {
  if (store.cells(protocol.version).empty()) return;
  Results results = only(load_results(store, protocol), targets);
  if (delta) set_delta(results, *delta);
  const Report report = make_report(results);
  for (OpenCell* target : targets) {
    for (const ReportTable& table : report.tables) {
      if (table.id != target->name.table) continue;
      const Cell* cell = table.find(
          target->name.model, {target->name.dataset, target->configurations[0].family->metric});
      if (cell == nullptr) continue;
      target->taken = static_cast<std::size_t>(cell->look);
      target->verdict = cell->verdict;
      target->given_up = cell->given_up;
      // Where no number of runs decides as things stand, others come first.
      target->doubt = cell->runs_to_decide.value_or(0);
    }
  }
}

// The cells to look at next: all that wait for their first look, then those of most doubt; enough
// of them to keep the workers busy.
std::vector<OpenCell*> next_targets(std::vector<OpenCell>& targets, int jobs) {
  std::vector<OpenCell*> open;
  for (OpenCell& target : targets) {
    if (target.open()) open.push_back(&target);
  }
  std::stable_sort(open.begin(), open.end(), [](const OpenCell* a, const OpenCell* b) {
    return (a->taken == 0) != (b->taken == 0) ? a->taken == 0 : a->doubt > b->doubt;
  });
  const auto most = static_cast<std::size_t>(1 + 2 * jobs / kFewestDraws);
  if (open.size() > most) open.resize(most);
  return open;
}

}  // namespace

Selection until_selection(const Selection& selection, const UntilOptions& options) {
  Selection out = selection;
  out.splits = options.max_splits;
  out.inits = 0;
  out.beyond = true;
  return out;
}

Plan until_plan(const Protocol& protocol, const Plan& plan, const UntilOptions& options) {
  Results values;
  values.published = protocol.published;
  for (const ModelRow& row : protocol.models) {
    if (!row.reading_of.empty()) values.reading_of[row.name] = row.reading_of;
  }
  Plan out = plan;
  out.cells.clear();
  for (PlannedCell cell : plan.cells) {
    const report::Published published(values, cell.table);
    const PublishedValue* value = published.find(cell.model, {cell.dataset, cell.family->metric});
    if (value == nullptr || !value->mean) continue;
    const bool once = cell.family->model.deterministic;
    const int inits = over_inits(protocol, cell) ? options.max_inits : options.inits;
    cell.inits = cell.select_inits + (once ? 1 : inits);
    out.cells.push_back(std::move(cell));
  }
  if (out.cells.empty())
    fail(
        "protocol '{}': no cell that was chosen has a published value, so there is nothing to "
        "decide; run it without --until",
        protocol.name);
  return out;
}

UntilSummary run_until_decided(const Protocol& protocol, const Plan& plan, Store& store,
                               const Executor& executor, const ExecuteOptions& execute_options,
                               const UntilOptions& options,
                               const std::function<void(const LookReport&)>& on_look) {
  UntilSummary summary;
  std::vector<OpenCell> targets = targets_of(protocol, plan, summary);
  for (const OpenCell& target : targets) store.plan_looks(plan.version, target.name, target.looks);
  std::vector<OpenCell*> everyone;
  for (OpenCell& target : targets) everyone.push_back(&target);
  judge_targets(store, protocol, everyone, options.delta);

  const int jobs = execute_options.jobs > 0 ? execute_options.jobs : available_processors();
  for (;;) {
    const std::vector<OpenCell*> chosen = next_targets(targets, jobs);
    if (chosen.empty()) break;
    Plan part = plan;
    part.cells.clear();
    std::vector<std::size_t> before;
    for (OpenCell* target : chosen) {
      target->asked = target->taken + 1;
      const auto cells = target->next();
      part.cells.insert(part.cells.end(), cells.begin(), cells.end());
      before.push_back(target->taken);
    }
    const ExecuteSummary done = execute(part, store, executor, execute_options);
    summary.work.planned += done.planned - done.stored;
    summary.work.add(done);
    judge_targets(store, protocol, chosen, options.delta);
    if (summary.work.interrupted) break;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      OpenCell& target = *chosen[i];
      target.stuck = target.taken == before[i];
      if (!on_look) continue;
      LookReport report{target.name,
                        target.verdict,
                        static_cast<int>(target.taken),
                        static_cast<int>(target.sizes.size()),
                        target.taken > 0 ? target.sizes[target.taken - 1] : 0,
                        0};
      report.open = static_cast<int>(std::count_if(targets.begin(), targets.end(),
                                                   [](const OpenCell& t) { return t.open(); }));
      on_look(report);
    }
  }
  for (const OpenCell& target : targets) {
    summary.equivalent += target.verdict == Verdict::kEquivalent;
    summary.different += target.verdict == Verdict::kDifferent;
    const std::size_t looks = std::max(target.asked, target.taken);
    if (looks == 0) continue;
    const int size = target.sizes[looks - 1];
    summary.asked_runs += target.over_inits
                              ? runs_of(target.configurations, target.looks.splits, size)
                              : runs_of(target.configurations, size, target.looks.inits);
  }
  summary.undecided = summary.cells - summary.equivalent - summary.different;
  return summary;
}

}  // namespace cupel
