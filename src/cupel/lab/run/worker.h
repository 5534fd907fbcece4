// A program that is started once and does many runs: what it loads, it loads once.
//
// For each run its folder is emptied and gets task.npz and task.json (external.h), and a line of
// JSON is written to its standard input: what task.json says, and `run`, a number. It writes
// scores.npy and valid_scores.npy into the folder and then answers with a line of JSON on its
// standard output, {"run": N}, or {"run": N, "error": "..."} for a run that it gives up. Where a
// run is asked step by step (program_talk.h), its line is followed by that of its first question,
// and the last answer by {"end": true, "run": N} instead of the end of the standard input; then the
// run is answered. Lines that are no such objects are no answers, but bytes that are no text, and
// what begins like an answer and is none, end it. So does a worker that grows: one that has more
// processes and threads after each of kGrowingRuns runs than ever before. When there are no more
// runs, its standard input ends, and so should it. One that ends by itself (exit code 0) after a
// run is started anew for the next: whether it has ended before it is told of that run, or just
// then, is a race and tells nothing.
//
// It keeps what it remembers from one run to the next, labels that another split shows among it;
// a program that is started for each run cannot.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/lab/isolation/isolation.h"
#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/task_folder.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel {

class ProgramTalk;  // program_talk.h

// Libraries start threads when they need them first; what is left behind comes with every run.
inline constexpr int kGrowingRuns = 3;

// Used by one thread.
class Worker {
 public:
  // What it is started with; its task folder, and the talk, are filled in.
  using MakeRequest = std::function<ProcessRequest(const TaskFolder& folder)>;

  // Starts nothing yet. Throws Error if no folder can be made.
  Worker();
  // Ends the program: by the end of its standard input, and after a moment by force.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  TaskFolder& folder() { return folder_; }

  // Tells the program of a run, `task` being its task.json, once `fill` has filled the folder, and
  // waits for the answer; starts the program if it does not run. `questions`, in folder(), are
  // asked meanwhile, by another thread; null: there are none. One that ends by itself instead of
  // answering any of them or the run, and had answered another run, is started again, with a folder
  // filled anew. An end of the program is given back as it came, and as kTalk a run that it gave up
  // or never answered: then it is dead, and this object of no more use. What was answered ends with
  // kExit and code 0.
  [[nodiscard]] ProcessResult run(const std::string& task, const RunLimits& limits,
                                  const std::function<void()>& fill, const MakeRequest& request,
                                  ProgramTalk* questions = nullptr);

 private:
  class Conversation;
  void start(const RunLimits& limits, const MakeRequest& request);

  TaskFolder folder_;
  int runs_ = 0;  // that were told of
  std::unique_ptr<Conversation> conversation_;
  std::thread thread_;  // that looks after the program
};

// Workers are alike that are started alike.
struct WorkerKind {
  ExternalCommand program;
  int threads = 0;
  std::int64_t file_bytes = 0;  // largest file
  std::string isolation;        // its name

  bool operator==(const WorkerKind&) const = default;
};

// Workers that wait for their next run. Safe to use from many threads.
class WorkerPool {
 public:
  // One of this kind that was given back, or a new one.
  [[nodiscard]] std::unique_ptr<Worker> take(const WorkerKind& kind);
  void give_back(WorkerKind kind, std::unique_ptr<Worker> worker);
  // Ends those of a program that wait.
  void end(const ExternalCommand& program);

 private:
  using Idle = std::pair<WorkerKind, std::unique_ptr<Worker>>;
  std::mutex mutex_;
  std::vector<Idle> idle_;
};

}  // namespace cupel
