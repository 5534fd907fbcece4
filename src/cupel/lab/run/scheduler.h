// Performs the pending runs of a plan on worker threads and keeps every outcome in the store.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/refusal.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// A run that is being done.
struct RunInFlight {
  std::string dataset, model;
  int split = 0, init = 0;
  double seconds = 0;  // since it began, its session's preparations included
  int epochs = -1;     // trained so far; -1: not known
  double share = 0;    // of its training that is done, where that is told; else 0
};

struct Progress {
  int done = 0, total = 0;  // of this call; what cannot start is not among them
  int failed = 0;           // of the done ones: failed or timed out
  int elsewhere = 0;        // of the others: another process is at them
  double seconds = 0;       // since the call
  double runs_per_minute = 0;
  double seconds_left = 0;            // rough; 0 while nothing is done
  std::string dataset, model;         // of the last run; empty while there is none
  std::optional<RunInFlight> oldest;  // of the runs in flight
};

struct ExecuteOptions {
  int jobs = 0;                  // worker threads; 0: one per processor
  std::size_t memory_bytes = 0;  // limit for all sessions together; 0: four fifths of what is free
  bool retry = false;            // do failed and timed-out runs again
  std::optional<double> timeout_seconds;  // of one run; instead of the protocol's
  // Long runs put down how far they are no more often than this, and go on from there when they are
  // begun again (lab/run/checkpoint_file.h): in files whose names begin with `checkpoints`, or,
  // where that is empty, with the store's.
  std::chrono::milliseconds checkpoint_interval = std::chrono::minutes(1);
  std::filesystem::path checkpoints;
  // Told of the file of a run that is kept now, which is removed unless this is set: who keeps
  // results elsewhere removes it once they are there. One call at a time, as of on_progress.
  std::function<void(const std::filesystem::path&)> on_checkpoint_over;
  Shard shard;
  std::vector<Refusal> refused;                      // their runs are not started
  const std::atomic<bool>* interrupt = nullptr;      // set by a signal handler: give up
  std::function<void(const Progress&)> on_progress;  // after each run; one call at a time
  // The same several times a second while runs are in flight, from another thread, and never beside
  // on_progress.
  std::function<void(const Progress&)> on_tick;
};

// Runs of a row on a data set that this machine could not start.
struct NotStartedRow {
  std::string model, dataset, reason;
  int runs = 0;
  bool announced = false;  // all of them by ExecuteOptions::refused
};

struct ExecuteSummary {
  int planned = 0, stored = 0;  // distinct runs of the plan (this shard), and those the store had
  int done = 0;                 // performed now
  int ok = 0, diverged = 0, failed = 0, timed_out = 0;  // of those
  int not_started = 0;    // neither done nor kept: no memory, no such program, refused
  int failed_before = 0;  // of the stored ones: failed or timed out
  bool interrupted = false;
  double seconds = 0;
  // Why the last run that could not put down how far it was could not; "": all could.
  std::string checkpoint_problem;
  // One message for each kind of failure and cell, in order of appearance.
  std::vector<std::string> failures;
  std::vector<NotStartedRow> not_started_rows;  // one for each row and data set

  // Takes in what was performed after it; `planned`, `stored` and `failed_before` stay.
  void add(const ExecuteSummary& next);
};

// Registers the plan in the store, then does what the store lacks; where inits only choose, what
// they have chosen is done after them (of a shard, as far as its store can tell). The rows do not
// depend on the number of jobs or the order of work. A run that fails is a row, and the others go
// on. One that cannot start on this machine is none: it is told in the summary, and done by a later
// call that can. Throws Error if the store cannot be written, or is no longer where it was; then
// nothing more is started. Several processes may do one plan in one store: they share its groups
// (lab/run/claims.h), and each ends when all is done.
ExecuteSummary execute(const Plan& plan, Store& store, const Executor& executor,
                       const ExecuteOptions& options = {});

// The same for runs that belong to no table (a search): `pending` as of pending_runs.
ExecuteSummary execute(const Pending& pending, Store& store, const Executor& executor,
                       const ExecuteOptions& options);

}  // namespace cupel
