#include "cupel/lab/run/scheduler.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "cupel/base/error.h"
#include "cupel/lab/run/identity.h"

namespace cupel {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

RunRecord failed(std::string message) {
  RunRecord record;
  record.status = RunStatus::kFailed;
  record.message = std::move(message);
  return record;
}

// A group on its way: workers take its inits one by one.
struct Work {
  RunGroup group;
  std::size_t next = 0;    // index of the first init that nobody took
  std::size_t memory = 0;  // of one session
  std::size_t left() const { return group.inits.size() - next; }
};

class Scheduler {
 public:
  Scheduler(const Pending& pending, Store& store, const Executor& executor,
            const ExecuteOptions& options)
      : store_(store), executor_(executor), options_(options), start_(Clock::now()) {
    std::map<const Family*, std::size_t> memory_of;
    summary_.planned = pending.planned;
    summary_.stored = pending.stored;
    for (const RunGroup& group : pending.groups) {
      total_ += static_cast<int>(group.inits.size());
      left_of_[group.family.get()] += static_cast<int>(group.inits.size());
      auto [memory, fresh] = memory_of.emplace(group.family.get(), 0);
      if (fresh) memory->second = executor.estimate_memory(group);
      waiting_.push_back({group, 0, memory->second});
    }
    const int jobs = options.jobs > 0 ? options.jobs : available_processors();
    workers_ = std::max(1, std::min(jobs, total_));
    // Fewer runs than processors: a run may use several. The bits do not depend on it.
    threads_.count = std::max(1, jobs / workers_);
    limit_ = options.memory_bytes > 0 ? options.memory_bytes : free_memory() / 5 * 4;
  }

  ExecuteSummary run() {
    refuse_known();
    if (summary_.done < total_) {
      std::vector<std::jthread> threads;
      for (int i = 1; i < workers_; ++i) threads.emplace_back([this] { work(); });
      work();
    }
    if (error_) std::rethrow_exception(error_);
    summary_.interrupted = interrupted() && summary_.done < total_;
    summary_.seconds = seconds_since(start_);
    return summary_;
  }

 private:
  void refuse_known() {
    std::map<const Family*, std::string> reasons;
    for (const Refusal& refusal : options_.refused)
      reasons.emplace(refusal.family.get(), refusal.reason);
    std::deque<Work> left;
    for (Work& job : waiting_) {
      const auto found = reasons.find(job.group.family.get());
      if (found == reasons.end()) {
        left.push_back(std::move(job));
      } else {
        refuse(job, found->second);
      }
    }
    waiting_ = std::move(left);
  }

  bool interrupted() const { return options_.interrupt != nullptr && *options_.interrupt; }
  bool stopped() const { return error_ != nullptr || interrupted(); }

  void work() {
    try {
      while (Work* job = take()) {
        perform(*job);
        const std::lock_guard lock(mutex_);
        memory_used_ -= job->memory;
        --active_;
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      --active_;
      changed_.notify_all();
    }
  }

  bool fits(const Work& job) const { return memory_used_ + job.memory <= limit_; }

  // The next group to open a session for: one that nobody works at, else a share of one that
  // another worker has begun. Waits for memory. nullptr: nothing left to take.
  Work* take() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (stopped()) return nullptr;
      const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                      [&](const Work& job) { return fits(job); });
      Work* job = nullptr;
      if (found != waiting_.end()) {
        begun_.push_back(std::move(*found));
        waiting_.erase(found);
        job = &begun_.back();
      } else if (!waiting_.empty() && active_ == 0) {
        // Alone, and still too large.
        begun_.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
        refuse(begun_.back(), fmt::format("needs about {} MB and the limit is {} MB; raise it with "
                                          "--memory",
                                          begun_.back().memory >> 20, limit_ >> 20));
        continue;
      } else if (waiting_.empty()) {
        for (Work& other : begun_) {
          // Opening a session costs about a run: two must be left to share.
          if (other.left() >= 2 && fits(other) && (job == nullptr || other.left() > job->left()))
            job = &other;
        }
        if (job == nullptr) return nullptr;
      }
      if (job != nullptr) {
        memory_used_ += job->memory;
        ++active_;
        return job;
      }
      // Wakes now and then to see an interrupt, which comes without a notification.
      changed_.wait_for(lock, std::chrono::milliseconds(200));
    }
  }

  std::optional<int> next_init(Work& job) {
    const std::lock_guard lock(mutex_);
    if (stopped() || job.left() == 0) return {};
    return job.group.inits[job.next++];
  }

  void perform(Work& job) {
    const Family& family = *job.group.family;
    std::unique_ptr<RunSession> session;
    while (const auto init = next_init(job)) {
      const auto start = Clock::now();
      RunRecord record;
      try {
        if (!session) session = executor_.open(job.group, threads_);
        record =
            session->run(*init, run_key(family, job.group.split, *init), limits(family, start));
      } catch (const Interrupted&) {
        return;
      } catch (const std::exception& error) {
        const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
        record = failed(memory ? "out of memory" : error.what());
        session.reset();  // it may be half-way through something
      }
      record.seconds = seconds_since(start);
      keep(job.group, *init, std::move(record));
    }
  }

  RunLimits limits(const Family& family, Clock::time_point start) const {
    RunLimits out;
    out.interrupt = options_.interrupt;
    const double seconds = options_.timeout_seconds.value_or(family.timeout_seconds);
    if (seconds > 0)
      out.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(seconds));
    return out;
  }

  void keep(const RunGroup& group, int init, RunRecord record) {
    record.metric = group.family->metric;
    store_.put(group.family->identity, group.split, init, record);
    const std::lock_guard lock(mutex_);
    count(group, record);
  }

  // With the mutex held, or before there are workers.
  void refuse(Work& job, const std::string& message) {
    while (job.left() > 0) {
      RunRecord record = failed(message);
      record.metric = job.group.family->metric;
      store_.put(job.group.family->identity, job.group.split, job.group.inits[job.next++], record);
      count(job.group, record);
    }
  }

  void count(const RunGroup& group, const RunRecord& record) {
    ++summary_.done;
    switch (record.status) {
      case RunStatus::kOk:
        ++summary_.ok;
        break;
      case RunStatus::kDiverged:
        ++summary_.diverged;
        break;
      case RunStatus::kFailed:
        ++summary_.failed;
        break;
      case RunStatus::kTimeout:
        ++summary_.timed_out;
        break;
    }
    const Family& family = *group.family;
    if (record.status == RunStatus::kFailed || record.status == RunStatus::kTimeout) {
      std::string text = fmt::format("{} on {}: {}", family.row, family.dataset->name,
                                     record.message.empty() ? "time is up" : record.message);
      if (messages_.insert(text).second && summary_.failures.size() < 100)
        summary_.failures.push_back(std::move(text));
    }
    auto& [runs, seconds] = spent_[&family];
    ++runs;
    seconds += record.seconds;
    --left_of_[&family];
    if (options_.on_progress) options_.on_progress(progress(family));
  }

  Progress progress(const Family& last) const {
    Progress out;
    out.done = summary_.done;
    out.total = total_;
    out.failed = summary_.failed + summary_.timed_out;
    const double elapsed = std::max(seconds_since(start_), 1e-6);
    out.runs_per_minute = summary_.done / elapsed * 60;
    // Runs of other families are taken to cost what the ones seen cost on average.
    int seen = 0;
    double sum = 0;
    for (const auto& [family, spent] : spent_) {
      seen += spent.first;
      sum += spent.second;
    }
    double work = 0;
    for (const auto& [family, left] : left_of_) {
      const auto known = spent_.find(family);
      work +=
          left * (known == spent_.end() ? sum / seen : known->second.second / known->second.first);
    }
    out.seconds_left = work / workers_;
    out.dataset = last.dataset->name;
    out.model = last.row;
    return out;
  }

  Store& store_;
  const Executor& executor_;
  const ExecuteOptions& options_;
  const Clock::time_point start_;
  int total_ = 0, workers_ = 1;
  Threads threads_;
  std::size_t limit_ = 0;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<Work> waiting_, begun_;  // a deque keeps addresses at push_back
  std::size_t memory_used_ = 0;
  int active_ = 0;  // sessions
  std::exception_ptr error_;
  ExecuteSummary summary_;
  std::set<std::string> messages_;
  std::map<const Family*, std::pair<int, double>> spent_;
  std::map<const Family*, int> left_of_;
};

}  // namespace

StreamKey run_key(const Family& family, int split, int init) {
  return stream_key(run_identity(family.identity, split, init));
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
  // What has been chosen meanwhile; what went wrong just now is not tried again.
  const Pending second = pending_runs(plan, store, false, options.shard);
  if (second.groups.empty()) return out;
  const ExecuteSummary then = execute(second, store, executor, options);
  out.planned = second.planned;
  out.done += then.done;
  out.ok += then.ok;
  out.diverged += then.diverged;
  out.failed += then.failed;
  out.timed_out += then.timed_out;
  out.interrupted = then.interrupted;
  out.seconds += then.seconds;
  for (const std::string& failure : then.failures)
    if (!std::count(out.failures.begin(), out.failures.end(), failure))
      out.failures.push_back(failure);
  return out;
}

}  // namespace cupel
