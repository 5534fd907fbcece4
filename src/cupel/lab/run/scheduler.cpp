#include "cupel/lab/run/scheduler.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/lab/record/identity.h"
#include "cupel/lab/run/checkpoint_file.h"
#include "cupel/lab/run/free_memory.h"
#include "cupel/lab/run/group_queue.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/tally.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kTick = 200ms;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

RunRecord failed(std::string message) {
  RunRecord record;
  record.status = RunStatus::kFailed;
  record.message = std::move(message);
  return record;
}

int workers_of(const Pending& pending, int jobs) {
  std::size_t runs = 0;
  for (const RunGroup& group : pending.groups) runs += group.inits.size();
  return std::max(1, static_cast<int>(std::min(static_cast<std::size_t>(jobs), runs)));
}

// A run that a worker is at.
struct Flight {
  const RunGroup* group;
  int init;
  Clock::time_point start;
  std::atomic<double>* share;           // of its training, told by the run
  const RunSession* session = nullptr;  // once it is open
};

class Scheduler {
 public:
  using Work = GroupQueue::Work;

  Scheduler(const Pending& pending, Store& store, const Executor& executor,
            const ExecuteOptions& options)
      : store_(store),
        executor_(executor),
        options_(options),
        jobs_(options.jobs > 0 ? options.jobs : available_processors()),
        workers_(workers_of(pending, jobs_)),
        tally_(pending, workers_),
        queue_(store, options.retry, memory_for_runs(options.memory_bytes), tally_) {
    // Fewer runs than processors: a run may use several. The bits do not depend on it.
    threads_.count = std::max(1, jobs_ / workers_);
    std::map<const Family*, std::string> refused;
    for (const Refusal& refusal : options.refused)
      refused.emplace(refusal.family.get(), refusal.reason);
    std::map<const Family*, std::size_t> memory_of;
    for (const RunGroup& group : pending.groups) {
      const Family& family = *group.family;
      if (const auto found = refused.find(&family); found != refused.end()) {
        tally_.give_up(family, static_cast<int>(group.inits.size()), found->second, true);
        continue;
      }
      auto [memory, fresh] = memory_of.emplace(&family, 0);
      if (fresh) memory->second = executor.estimate_memory(group);
      queue_.add(group, memory->second);
    }
  }

  ExecuteSummary run() {
    if (tally_.total() > 0) {
      const std::jthread ticker = ticking();
      std::vector<std::jthread> threads;
      for (int i = 1; i < workers_ && start_worker(threads);) ++i;
      work();
    }
    if (error_) std::rethrow_exception(error_);
    store_.check_there();
    ExecuteSummary out = tally_.summary(interrupted());
    out.checkpoint_problem = checkpoint_problem_;
    return out;
  }

 private:
  bool interrupted() const { return options_.interrupt != nullptr && *options_.interrupt; }
  bool stopped() const { return error_ != nullptr || interrupted(); }

  // Tells at once and then now and then how far the runs in flight are, until it is destroyed.
  std::jthread ticking() {
    if (!options_.on_tick) return {};
    return std::jthread([this](const std::stop_token& stop) {
      std::unique_lock lock(mutex_);
      while (!stop.stop_requested()) {
        options_.on_tick(progress());
        changed_.wait_for(lock, stop, kTick, [] { return false; });
      }
    });
  }

  // Where the system gives no more threads, those that are there do nothing more.
  bool start_worker(std::vector<std::jthread>& threads) {
    try {
      threads.emplace_back([this] { work(); });
      return true;
    } catch (const std::system_error& error) {
      const std::lock_guard lock(mutex_);
      if (error_) return false;
      error_ = std::make_exception_ptr(Error(
          fmt::format("--jobs {}: no more than {} could be started ({}); ask for fewer", jobs_,
                      counted(std::ssize(threads) + 1, "thread"), error.code().message())));
      return false;
    }
  }

  void work() {
    try {
      while (Work* job = take()) {
        perform(*job);
        end(*job);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      changed_.notify_all();
    }
  }

  // The next group to open a session for, waited for if there may be one later. nullptr: nothing
  // is left to take.
  Work* take() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto [found, work] = queue_.take([this] { return stopped(); });
      if (found != GroupQueue::Found::kWait) return work;
      // Wakes now and then to see an interrupt, which comes without a notification.
      changed_.wait_for(lock, kTick);
    }
  }

  void end(Work& job) {
    const std::optional<ExternalCommand>& program = job.group().family->external;
    bool over = false;
    {
      const std::lock_guard lock(mutex_);
      queue_.end_session(job);
      over = program && program->worker && !queue_.needs(*program);
      changed_.notify_all();
    }
    if (over) executor_.end_workers(*program);
  }

  std::optional<int> next_init(Work& job) {
    const std::lock_guard lock(mutex_);
    if (stopped()) return {};
    return job.next_init();
  }

  // Lists a run among those in flight while it lives. The session must outlive it.
  class InFlight {
   public:
    InFlight(Scheduler& scheduler, const RunGroup& group, int init) : scheduler_(scheduler) {
      const std::lock_guard lock(scheduler_.mutex_);
      auto& list = scheduler_.flights_;
      flight_ = list.insert(list.end(), {&group, init, Clock::now(), &share_});
    }
    ~InFlight() {
      const std::lock_guard lock(scheduler_.mutex_);
      scheduler_.flights_.erase(flight_);
    }
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;
    void of(const RunSession& session) {
      const std::lock_guard lock(scheduler_.mutex_);
      flight_->session = &session;
    }
    std::atomic<double>& share() { return share_; }

   private:
    Scheduler& scheduler_;
    std::atomic<double> share_ = 0;
    std::list<Flight>::iterator flight_;
  };

  void perform(Work& job) {
    const Family& family = *job.group().family;
    std::unique_ptr<RunSession> session;
    while (const auto init = next_init(job)) {
      const auto start = Clock::now();
      RunRecord record;
      std::optional<CheckpointFile> checkpoint = checkpoint_of(family, job.group().split, *init);
      try {
        InFlight flight(*this, job.group(), *init);
        if (!session) session = executor_.open(job.group(), threads_);
        flight.of(*session);
        RunLimits given = limits(family, start);
        given.done = &flight.share();
        if (checkpoint) given.checkpoint = &*checkpoint;
        record = session->run(*init, run_key(family, job.group().split, *init), given);
      } catch (const Interrupted&) {
        if (checkpoint) tell_problem(*checkpoint);
        return;
      } catch (const NotStarted& error) {
        const std::lock_guard lock(mutex_);
        tally_.give_up(family, 1, error.what(), false);
        queue_.give_up(family, error.what());
        return;
      } catch (const std::exception& error) {
        const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
        record = failed(memory ? "out of memory" : error.what());
        session.reset();  // it may be half-way through something
      }
      record.seconds = seconds_since(start);
      if (checkpoint) record.seconds += checkpoint->seconds_before();
      keep(job.group(), *init, std::move(record));
      if (!checkpoint) continue;
      tell_problem(*checkpoint);
      if (checkpoint->is_there()) end_checkpoint(checkpoint->path());
    }
  }

  std::optional<CheckpointFile> checkpoint_of(const Family& family, int split, int init) const {
    const std::filesystem::path& place =
        options_.checkpoints.empty() ? store_.path() : options_.checkpoints;
    if (place == ":memory:") return {};
    return CheckpointFile(place, identity_hash(run_identity(family.identity, split, init)),
                          options_.checkpoint_interval);
  }

  void tell_problem(const CheckpointFile& checkpoint) {
    const std::lock_guard lock(mutex_);
    if (!checkpoint.problem().empty()) checkpoint_problem_ = checkpoint.problem();
  }

  void end_checkpoint(const std::filesystem::path& path) {
    if (!options_.on_checkpoint_over) return CheckpointFile::remove(path);
    const std::lock_guard lock(mutex_);
    options_.on_checkpoint_over(path);
  }

  RunLimits limits(const Family& family, Clock::time_point start) const {
    RunLimits out;
    out.interrupt = options_.interrupt;
    // The clock counts nanoseconds: what is beyond a few centuries does not fit it.
    constexpr double kLongest = 1e9;
    const double seconds =
        std::min(kLongest, options_.timeout_seconds.value_or(family.timeout_seconds));
    if (seconds > 0)
      out.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(seconds));
    return out;
  }

  void keep(const RunGroup& group, int init, RunRecord record) {
    record.metric = group.family->metric;
    store_.put(group.family->identity, group.split, init, record);
    const std::lock_guard lock(mutex_);
    tally_.count(*group.family, record);
    last_ = group.family.get();
    if (options_.on_progress) options_.on_progress(progress());
  }

  // With the mutex held.
  Progress progress() const {
    Progress out = tally_.progress(last_);
    out.elsewhere = queue_.elsewhere();
    if (flights_.empty()) return out;
    const Flight& oldest = flights_.front();  // they are in the order of their starts
    const Family& family = *oldest.group->family;
    out.oldest = {.dataset = family.dataset->name,
                  .model = family.row,
                  .split = oldest.group->split,
                  .init = oldest.init,
                  .seconds = seconds_since(oldest.start),
                  .epochs = oldest.session == nullptr ? -1 : oldest.session->epochs(),
                  .share = *oldest.share};
    return out;
  }

  Store& store_;
  const Executor& executor_;
  const ExecuteOptions& options_;
  const int jobs_, workers_;
  Threads threads_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  std::list<Flight> flights_;
  std::exception_ptr error_;
  Tally tally_;
  GroupQueue queue_;
  const Family* last_ = nullptr;    // of the last run that was kept
  std::string checkpoint_problem_;  // the last one
};

}  // namespace

void ExecuteSummary::add(const ExecuteSummary& next) {
  done += next.done;
  ok += next.ok;
  diverged += next.diverged;
  failed += next.failed;
  timed_out += next.timed_out;
  not_started += next.not_started;
  interrupted = next.interrupted;
  seconds += next.seconds;
  if (!next.checkpoint_problem.empty()) checkpoint_problem = next.checkpoint_problem;
  for (const std::string& failure : next.failures) {
    if (!std::count(failures.begin(), failures.end(), failure)) failures.push_back(failure);
  }
  for (const NotStartedRow& row : next.not_started_rows) {
    const auto known = std::find_if(
        not_started_rows.begin(), not_started_rows.end(),
        [&](const auto& mine) { return mine.model == row.model && mine.dataset == row.dataset; });
    if (known == not_started_rows.end())
      not_started_rows.push_back(row);
    else
      known->runs += row.runs;
  }
}

ExecuteSummary execute(const Pending& pending, Store& store, const Executor& executor,
                       const ExecuteOptions& options) {
  return Scheduler(pending, store, executor, options).run();
}

ExecuteSummary execute(const Plan& plan, Store& store, const Executor& executor,
                       const ExecuteOptions& options) {
  store.register_plan(plan);
  const Pending first = pending_runs(plan, store, options.retry, options.shard);
  ExecuteSummary out = execute(first, store, executor, options);
  if (first.later == 0 || out.interrupted) return out;
  const Pending second = pending_after(first, plan, store, options.retry, options.shard);
  if (second.groups.empty()) return out;
  const ExecuteSummary then = execute(second, store, executor, options);
  out.planned = second.planned;
  out.add(then);
  return out;
}

}  // namespace cupel
