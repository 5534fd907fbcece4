// Performs the pending runs of a plan on worker threads and keeps every outcome in the store.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/plan.h"
#include "cupel/lab/run/store.h"

namespace cupel {

struct Progress {
  int done = 0, total = 0;  // of this call
  int failed = 0;           // of the done ones: failed or timed out
  double runs_per_minute = 0;
  double seconds_left = 0;     // rough
  std::string dataset, model;  // of the last run
};

// A model that would refuse a data set as too large, known before anything runs.
struct Refusal {
  std::shared_ptr<const Family> family;
  std::string reason;  // with an estimate and the way out
  int runs = 0;        // to do

  // "kernel-s on HIV: REASON"
  [[nodiscard]] std::string text() const;
};

struct ExecuteOptions {
  int jobs = 0;                  // worker threads; 0: one per processor
  std::size_t memory_bytes = 0;  // limit for all sessions together; 0: four fifths of what is free
  bool retry = false;            // do failed and timed-out runs again
  std::optional<double> timeout_seconds;  // of one run; instead of the protocol's
  Shard shard;
  std::vector<Refusal> refused;                  // their runs fail at once, for the reason given
  const std::atomic<bool>* interrupt = nullptr;  // set by a signal handler: give up
  std::function<void(const Progress&)> on_progress;  // after each run; one call at a time
};

struct ExecuteSummary {
  int planned = 0, stored = 0;  // distinct runs of the plan (this shard), and those the store had
  int done = 0;                 // performed now
  int ok = 0, diverged = 0, failed = 0, timed_out = 0;  // of those
  bool interrupted = false;
  double seconds = 0;
  // One message for each kind of failure and cell, in order of appearance.
  std::vector<std::string> failures;
};

// Registers the plan in the store, then does what the store lacks; where inits only choose, what
// they have chosen is done after them (of a shard, as far as its store can tell). The rows do not
// depend on the number of jobs or the order of work. A run that fails is a row, and the others go
// on. Throws Error if the store cannot be written; then nothing more is started.
ExecuteSummary execute(const Plan& plan, Store& store, const Executor& executor,
                       const ExecuteOptions& options = {});

// The same for runs that belong to no table (a search): `pending` as of pending_runs.
ExecuteSummary execute(const Pending& pending, Store& store, const Executor& executor,
                       const ExecuteOptions& options);

// How many runs a plan needs and what they are likely to take.
struct PlanEstimate {
  struct Line {
    std::string dataset, model;
    int configurations = 0;        // that the cell chooses from, with runs to do
    int runs = 0;                  // to do
    double seconds_per_run = 0;    // mean
    std::size_t memory_bytes = 0;  // of one session, the largest; 0: not known
    int measured = 0;              // past runs behind the estimate; 0: the rough model below
    bool rough = false;            // some of it is from that model
  };
  std::vector<Line> lines;  // but for what is refused
  std::vector<Refusal> refused;
  int runs = 0, stored = 0;
  int later = 0;       // runs that follow once configurations are chosen; in no other number
  double seconds = 0;  // on `jobs` workers
};

// Times come from the store's past runs of the same family. Where there are none, the rough model
// is 200 epochs (all of them where nothing stops early; 50 iterations of a model without training),
// each touching every feature entry, and every arc in each layer, once for each hidden unit (64 if
// the model does not say), at 1e9 multiply-adds a second; and in each layer, of a model that has
// them as a setting, ten products of nodes x hidden x hidden at 5e10: good to a factor of ten.
[[nodiscard]] PlanEstimate estimate_plan(const Plan& plan, const Store& store,
                                         const Executor& executor, const ExecuteOptions& options);

// What of the pending runs is refused, family by family.
[[nodiscard]] std::vector<Refusal> refusals(const Pending& pending, const Executor& executor);

// What a process may still take, by the kernel's account (and the control group's, if there is
// one).
[[nodiscard]] std::size_t free_memory();

}  // namespace cupel
