#include "cupel/lab/shards/frozen_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/protocol/configurations.h"

namespace cupel {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t work_of(const FrozenRuns& runs) { return runs.microseconds * runs.inits.size(); }

std::uint64_t work_of(const std::vector<FrozenRuns>& all) {
  std::uint64_t sum = 0;
  for (const FrozenRuns& runs : all) sum += work_of(runs);
  return sum;
}

}  // namespace

std::int64_t FrozenPlan::count() const {
  std::int64_t sum = 0;
  for (const FrozenRuns& entry : runs) sum += std::ssize(entry.inits);
  return sum;
}

double FrozenPlan::seconds() const { return 1e-6 * static_cast<double>(work_of(runs)); }

void set_runs(FrozenPlan& plan, const Plan& whole, const Pending& pending,
              const std::vector<double>& expected) {
  constexpr auto kMost = static_cast<double>(kMostMicroseconds);
  // A data set may have another name than the column that asks for it, which shards ask for.
  std::map<std::string, std::string> columns;
  for (const PlannedCell& cell : whole.cells) columns.emplace(cell.family->id, cell.dataset);
  // Data sets and families in the order in which they come first.
  std::map<std::string, std::size_t> datasets, families;
  using Place = std::pair<std::size_t, std::size_t>;
  std::vector<std::pair<Place, FrozenRuns>> list;
  for (std::size_t i = 0; i < pending.groups.size(); ++i) {
    const RunGroup& group = pending.groups[i];
    const Family& family = *group.family;
    const Place place(datasets.emplace(family.dataset->name, datasets.size()).first->second,
                      families.emplace(family.id, families.size()).first->second);
    const double microseconds = std::clamp(std::ceil(1e6 * expected.at(i)), 1.0, kMost);
    list.emplace_back(place, FrozenRuns{family.id, columns.at(family.id), family.row, group.split,
                                        group.inits, static_cast<std::uint64_t>(microseconds)});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  plan.runs.clear();
  for (auto& [place, runs] : list) plan.runs.push_back(std::move(runs));
  plan.later = pending.later;
}

void cut_by_time(FrozenPlan& plan, double seconds) {
  const auto runs = static_cast<double>(std::clamp<std::int64_t>(plan.count(), 1, kMostShards));
  plan.stretches = 0;
  plan.shards = static_cast<int>(std::clamp(std::ceil(plan.seconds() / seconds), 1.0, runs));
  const int with_runs = std::max(static_cast<int>(shards_with_runs(plan).size()), 1);
  if (with_runs < plan.shards) plan.stretches = std::exchange(plan.shards, with_runs);
}

std::vector<int> shards_with_runs(const FrozenPlan& plan) {
  std::vector<int> out;
  each_run(plan, plan.shards, [&](int shard, const FrozenRuns&, int) {
    if (out.empty() || out.back() != shard) out.push_back(shard);
  });
  return out;
}

void each_run(const FrozenPlan& plan, int count,
              const std::function<void(int shard, const FrozenRuns& runs, int init)>& tell) {
  const bool own = plan.stretches > 0 && count == plan.shards;
  const auto stretches = static_cast<unsigned>(own ? plan.stretches : count);
  const std::uint64_t all = work_of(plan.runs);
  std::uint64_t begin = 0;
  int last = -1, with_runs = 0;  // stretches
  for (const FrozenRuns& runs : plan.runs) {
    for (const int init : runs.inits) {
      // A run belongs to the stretch of the work that has its middle.
      const auto middle = static_cast<Wide>(begin) * 2 + runs.microseconds;
      const auto stretch = static_cast<int>(middle * stretches / 2 / all);
      with_runs += stretch != last;
      last = stretch;
      tell(own ? with_runs - 1 : stretch, runs, init);
      begin += runs.microseconds;
    }
  }
}

std::vector<FrozenRuns> runs_of_shard(const FrozenPlan& plan, int index, int count) {
  std::vector<FrozenRuns> out;
  const FrozenRuns* last = nullptr;  // of which some runs are in `out`
  each_run(plan, count, [&](int shard, const FrozenRuns& runs, int init) {
    if (shard != index) return;
    if (&runs != last) {
      out.push_back(runs);
      out.back().inits.clear();
      last = &runs;
    }
    out.back().inits.push_back(init);
  });
  return out;
}

Protocol protocol_of(const FrozenPlan& plan) {
  std::optional<std::string> published;
  if (!plan.published_text.empty()) published = plan.published_text;
  return parse_protocol(plan.protocol, plan.protocol + ".toml", plan.text, published, plan.folder);
}

Selection selection_of(const FrozenPlan& plan, const std::vector<FrozenRuns>& runs) {
  Selection out;
  const Protocol protocol = protocol_of(plan);
  const std::vector<std::string> columns = columns_of(protocol);
  bool foreign = false;
  for (const FrozenRuns& entry : runs) {
    foreign = foreign || !has_name(columns, entry.dataset);
    if (has_name(columns, entry.dataset) &&
        (out.datasets.empty() || out.datasets.back() != entry.dataset))
      out.datasets.push_back(entry.dataset);
  }
  // What is no column of the protocol is found by what it was asked for as: a path, for example.
  for (const std::string& name : plan.datasets) {
    if (foreign && !has_name(columns, name)) out.datasets.push_back(name);
  }
  out.models = plan.models;
  out.tables = plan.tables;
  out.choices = parse_choice_filters(plan.choices);
  out.splits = plan.splits;
  out.inits = plan.inits;
  return out;
}

Pending pending_of(const FrozenPlan& frozen, const std::vector<FrozenRuns>& runs, const Plan& plan,
                   const Store& store, bool retry) {
  std::vector<ListedRuns> listed;
  for (const FrozenRuns& entry : runs) {
    const bool known = std::any_of(plan.cells.begin(), plan.cells.end(), [&](const auto& cell) {
      return cell.family->id == entry.family;
    });
    if (!known)
      fail(
          "plan {}: {} on {} is another computation here than where the plan was made, since the "
          "data set, the program or function that is its model, the version of cupel or the "
          "machine's arithmetic is another; bring them in line, or plan anew here",
          frozen.hash, entry.model, entry.dataset);
    listed.push_back({entry.family, entry.split, entry.inits});
  }
  return pending_runs(plan, store, listed, retry);
}

}  // namespace cupel
