#include "cupel/lab/run/estimate.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "cupel/lab/plan/cost.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/refusal.h"

namespace cupel {

RunSeconds seconds_of_run(const Family& family, const Store& store, const Pilot& pilot) {
  const Store::Cost cost = store.cost(family.id);
  if (cost.runs > 0) return {cost.mean_seconds, static_cast<int>(cost.runs), false};
  if (const auto seen = pilot.seconds_of(family)) return {*seen, 0, false};
  return {rough_seconds(family), 0, true};
}

PlanEstimate estimate_plan(const Plan& plan, const Store& store, const Executor& executor,
                           const ExecuteOptions& options, const Pilot& pilot) {
  const Pending pending = pending_runs(plan, store, options.retry, options.shard);
  PlanEstimate out;
  out.runs = pending.planned;
  out.stored = pending.stored;
  out.later = pending.later;
  out.refused = refusals(pending, executor);
  std::set<const Family*> refused;
  for (const Refusal& refusal : out.refused) refused.insert(refusal.family.get());
  // A line for each row and data set, in the order of the plan; its configurations may differ in
  // what a run takes.
  std::map<const Family*, std::pair<PlanEstimate::Line*, double>> of_family;
  std::list<PlanEstimate::Line> lines;  // keeps addresses
  std::map<std::pair<const PlannedDataset*, std::string>, PlanEstimate::Line*> by_place;
  for (const PlannedCell& cell : plan.cells) {
    PlanEstimate::Line*& line = by_place[{cell.family->dataset.get(), cell.family->row}];
    if (line != nullptr) continue;
    line = &lines.emplace_back();
    line->dataset = cell.family->dataset->name;
    line->model = cell.family->row;
  }
  // A cell is asked for in several tables, too, and chooses nothing by that.
  std::map<PlanEstimate::Line*, std::set<std::map<std::string, OptionValue>>> settings;
  std::set<PlanEstimate::Line*> unknown;  // lines of which some memory is
  double longest = 0;
  for (const RunGroup& group : pending.groups) {
    const Family& family = *group.family;
    if (refused.contains(&family)) continue;
    auto& [line, seconds] = of_family[&family];
    if (line == nullptr) {
      line = by_place.at({family.dataset.get(), family.row});
      const RunSeconds expected = seconds_of_run(family, store, pilot);
      seconds = expected.mean;
      settings[line].insert(family.model.settings.all());
      line->configurations = static_cast<int>(settings[line].size());
      line->measured += expected.measured;
      line->rough = line->rough || expected.rough;
      const std::size_t memory = executor.estimate_memory(group);
      line->memory_bytes = std::max(line->memory_bytes, memory);
      if (memory == 0) unknown.insert(line);
    }
    const auto runs = static_cast<int>(group.inits.size());
    line->seconds_per_run =
        (line->seconds_per_run * line->runs + seconds * runs) / (line->runs + runs);
    line->runs += runs;
    out.seconds += runs * seconds;
    longest = std::max(longest, seconds);
  }
  for (PlanEstimate::Line& line : lines) {
    if (unknown.contains(&line)) line.memory_bytes = 0;
    if (line.runs > 0) out.lines.push_back(line);
  }
  const int jobs = options.jobs > 0 ? options.jobs : available_processors();
  out.seconds = std::max(out.seconds / jobs, longest);
  return out;
}

}  // namespace cupel
