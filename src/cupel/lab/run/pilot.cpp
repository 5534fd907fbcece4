#include "cupel/lab/run/pilot.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "cupel/base/parallel.h"

namespace cupel {
namespace {

// Where nothing tells how early training stops: so many times the epochs that it waits for an
// improvement, as the citation graphs of Shchur et al.'s Table 1 have it, weighed by their cost.
constexpr double kUsualPatiences = 5;

std::string rule_of(const Family& family) {
  const TrainRule& rule = family.rule;
  return fmt::format("{} {} {} {}", rule.max_epochs, rule.patience, rule.stop_on, rule.batch_size);
}

// One run of each family that the store knows nothing of.
Pending first_runs(const Pending& pending, const Store& store) {
  Pending out;
  std::set<const Family*> seen;
  for (const RunGroup& group : pending.groups) {
    if (!seen.insert(group.family.get()).second || store.cost(group.family->id).runs > 0) continue;
    out.groups.push_back({group.family, group.split, {group.inits.front()}, {}});
    ++out.planned;
  }
  return out;
}

}  // namespace

double Pilot::likely_epochs(const Family& family, const Try& own) const {
  const int most = std::max(family.rule.max_epochs, 1);
  if (family.rule.patience == 0) return most;
  double sum = 0;
  int n = 0;
  for (const auto& [id, other] : tries_) {
    if (!other.finished || other.epochs <= 0 || other.row != own.row || other.rule != own.rule)
      continue;
    sum += other.epochs;
    ++n;
  }
  const double usual = n > 0 ? sum / n : kUsualPatiences * family.rule.patience;
  return std::clamp(usual, static_cast<double>(std::min(own.epochs, most)),
                    static_cast<double>(most));
}

std::optional<double> Pilot::seconds_of(const Family& family) const {
  const auto found = tries_.find(family.id);
  if (found == tries_.end()) return {};
  const Try& own = found->second;
  if (own.finished) return own.seconds;
  if (own.epochs <= 0) return {};
  return own.seconds / own.epochs * likely_epochs(family, own);
}

Pilot run_pilot(const Pending& pending, const Store& store, const Executor& executor,
                const ExecuteOptions& options, const PilotOptions& pilot) {
  Pilot out;
  const Pending first = first_runs(pending, store);
  if (first.groups.empty() || pilot.seconds <= 0) return out;
  const int jobs = options.jobs > 0 ? options.jobs : available_processors();
  ExecuteOptions brief = options;
  brief.shard = {};
  brief.timeout_seconds = std::clamp(pilot.seconds * jobs / first.planned, 0.02, pilot.most);
  Store scratch(":memory:");
  execute(first, scratch, executor, brief);
  for (const RunGroup& group : first.groups) {
    const Family& family = *group.family;
    for (const StoredRun& run : scratch.runs(family.id)) {
      const RunRecord& record = run.record;
      const bool finished =
          record.status == RunStatus::kOk || record.status == RunStatus::kDiverged;
      if (finished || record.status == RunStatus::kTimeout)
        out.tries_[family.id] = {record.seconds, record.epochs, finished, family.row,
                                 rule_of(family)};
    }
  }
  return out;
}

}  // namespace cupel
