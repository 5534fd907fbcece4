// What performs runs. The scheduler knows only this interface; tests put their own behind it.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/limits.h"
#include "cupel/base/parallel.h"
#include "cupel/base/random.h"
#include "cupel/lab/record/record.h"
#include "cupel/lab/run/pending.h"

namespace cupel {

// Thrown where a run cannot begin on this machine: its program is not there, or no process can be
// made. It says nothing of the model, so it is no outcome, and nothing is recorded.
class NotStarted : public Error {
 public:
  using Error::Error;
};

// One group at work. Used by one thread, but for epochs().
class RunSession {
 public:
  virtual ~RunSession() = default;
  // The outcome is a pure function of the family, the split and `key`. Fills all of the record but
  // id, identity, metric and seconds. What it throws becomes a failed run, but Interrupted and
  // NotStarted: that run is not recorded. Either way the next run() starts afresh.
  virtual RunRecord run(int init, StreamKey key, const RunLimits& limits) = 0;
  // Epochs that the run in flight has trained; -1 where that is not known. From any thread.
  virtual int epochs() const { return -1; }
};

// Safe to use from many threads.
class Executor {
 public:
  virtual ~Executor() = default;
  // Upper estimate of the bytes that a session holds beyond the shared data set; 0 if none can be
  // made. Asked once a family.
  virtual std::size_t estimate_memory(const RunGroup& group) const = 0;
  // Why the model would refuse the data as too large, with the way out; "" if it would not. Asked
  // once a family, before anything is run.
  virtual std::string refusal(const RunGroup&) const { return ""; }
  // Everything that the group's runs share is done here. What it throws fails the run that it was
  // opened for, as what run() throws does.
  virtual std::unique_ptr<RunSession> open(const RunGroup& group, Threads threads) const = 0;
  // No run of this program is left to do, of whatever family: what waits for one may go.
  virtual void end_workers(const ExternalCommand&) const {}
};

// Trains registry models with Trainer and starts external programs. Test labels stay sealed: a
// trainer gets the view, and the score of the test nodes is computed after its selection is made;
// families with scores_test = false never meet a test label at all. `hidden` are files and folders
// that no program may see: stores, and data sets beside the usual folder and those of the plan.
[[nodiscard]] std::unique_ptr<Executor> make_executor(
    std::vector<std::filesystem::path> hidden = {});

}  // namespace cupel
