#include "cupel/lab/run/pilot.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
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

using Clock = std::chrono::steady_clock;

struct Times {
  double prepared = 0, seconds = 0, share = 0;
};

// Lets another executor do the work, and a run's time begin when all is prepared for it: an epoch
// may take less than what came before the first.
class Timed : public Executor {
 public:
  explicit Timed(const Executor& inner) : inner_(inner) {}

  std::size_t estimate_memory(const RunGroup& group) const override {
    return inner_.estimate_memory(group);
  }
  std::string refusal(const RunGroup& group) const override { return inner_.refusal(group); }
  // What does not reach the other: end_workers(), as the same programs go on when the pilot is
  // over.
  std::unique_ptr<RunSession> open(const RunGroup& group, Threads threads) const override {
    const auto start = Clock::now();
    std::unique_ptr<RunSession> session = inner_.open(group, threads);
    return std::make_unique<Session>(*this, group.family->id, std::move(session),
                                     Clock::now() - start);
  }
  // Once all is done.
  Times of(const std::string& family) const { return times_.at(family); }
  // Of the run alone; `other` where none was begun.
  double seconds_of(const std::string& family, double other) const {
    const auto found = times_.find(family);
    return found == times_.end() ? other : found->second.seconds;
  }

 private:
  class Session : public RunSession {
   public:
    Session(const Timed& timed, std::string family, std::unique_ptr<RunSession> inner,
            Clock::duration prepared)
        : timed_(timed),
          family_(std::move(family)),
          inner_(std::move(inner)),
          prepared_(prepared) {}
    RunRecord run(int init, StreamKey key, const RunLimits& limits) override {
      RunLimits later = limits;
      if (later.deadline) *later.deadline += prepared_;
      std::atomic<double> share = 0;
      later.done = &share;
      const auto start = Clock::now();
      RunRecord record = inner_->run(init, key, later);
      const auto seconds = [](Clock::duration d) {
        return std::chrono::duration<double>(d).count();
      };
      const std::lock_guard lock(timed_.mutex_);
      timed_.times_[family_] = {seconds(prepared_), seconds(Clock::now() - start), share};
      return record;
    }

   private:
    const Timed& timed_;
    std::string family_;
    std::unique_ptr<RunSession> inner_;
    Clock::duration prepared_;
  };

  const Executor& inner_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Times> times_;
};

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

// Those that a worker did, which is there still.
Pending those_of_workers(const Pending& first, const Store& done) {
  Pending out;
  for (const RunGroup& group : first.groups) {
    if (!group.family->external || !group.family->external->worker) continue;
    for (const StoredRun& run : done.runs(group.family->id)) {
      if (run.record.status != RunStatus::kOk) continue;
      out.groups.push_back(group);
      ++out.planned;
    }
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
  const double prepared = own.prepared / own.inits + own.start / own.runs;
  if (own.finished) return prepared + own.seconds;
  if (own.epochs > 0) return prepared + own.seconds / own.epochs * likely_epochs(family, own);
  if (own.share > 0) return prepared + own.seconds / own.share;
  return {};
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
  const Timed timed(executor);
  execute(first, scratch, timed, brief);
  const Pending of_workers = those_of_workers(first, scratch);
  Store again(":memory:");
  const Timed started(executor);
  if (!of_workers.groups.empty()) execute(of_workers, again, started, brief);
  std::map<const Family*, int> inits, runs;
  for (const RunGroup& group : pending.groups) {
    inits.try_emplace(group.family.get(), static_cast<int>(group.inits.size()));
    runs[group.family.get()] += static_cast<int>(group.inits.size());
  }
  for (const RunGroup& group : first.groups) {
    const Family& family = *group.family;
    for (const StoredRun& run : scratch.runs(family.id)) {
      const RunRecord& record = run.record;
      const bool finished =
          record.status == RunStatus::kOk || record.status == RunStatus::kDiverged;
      if (!finished && record.status != RunStatus::kTimeout) continue;
      const Times times = timed.of(family.id);
      const double seconds = std::min(times.seconds, started.seconds_of(family.id, times.seconds));
      out.tries_[family.id] = {.prepared = times.prepared,
                               .seconds = seconds,
                               .epochs = record.epochs,
                               .share = times.share,
                               .inits = inits.at(&family),
                               .start = times.seconds - seconds,
                               .runs = runs.at(&family),
                               .finished = finished,
                               .row = family.row,
                               .rule = rule_of(family)};
    }
  }
  return out;
}

}  // namespace cupel
