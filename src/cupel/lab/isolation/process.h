// Running a program with limits, and ending all of it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cupel/base/limits.h"

namespace cupel {

// Who starts the program and ends all that it leaves, also when we are killed.
enum class Keeper { kWarden, kBubblewrap };

// Speaks with a program while it runs, line by line: what it says on its standard output is heard,
// and what is replied goes to its standard input. Called by the thread that runs the program, which
// is not looked at meanwhile, and whose time stands still. What it throws ends the program.
class Talk {
 public:
  struct Reply {
    std::string text;                      // written as it is; may be nothing
    bool last = false;                     // true: its standard input ends with this
    std::optional<RunLimits> limits = {};  // from now on, instead of those of the request
  };
  virtual ~Talk() = default;
  // Before all else: what tells how many processes and threads the program has just then, which
  // takes a fraction of a millisecond. It is good while the program runs.
  virtual void take_counter(std::function<int()> tasks) { (void)tasks; }
  // Before the program has said anything.
  virtual Reply begin() = 0;
  // A line without its end; of one that is longer than kLineBytes a beginning that is longer, too.
  virtual Reply hear(const std::string& line) = 0;
};

inline constexpr std::size_t kLineBytes = 1 << 18;  // a traceback, and what is quoted in it

struct ProcessRequest {
  Keeper keeper = Keeper::kWarden;
  // Of the warden: the program by its path, and its arguments. Of bubblewrap: as
  // bubblewrap_command() gives it.
  std::vector<std::string> command;
  std::filesystem::path folder = "/";    // where it starts; bubblewrap has a place of its own
  std::vector<std::string> environment;  // all of it, NAME=VALUE
  std::int64_t memory_bytes = 0;  // of all its processes together, and data of each; 0: no limit
  int tasks = 0;                  // processes and threads; 0: no limit
  std::int64_t file_bytes = 0;    // largest file it may write; 0: any
  // Disk that it takes, asked now and then, and how much it may be; 0: no limit.
  std::function<std::int64_t()> disk;
  std::int64_t disk_bytes = 0;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* interrupt = nullptr;
  Talk* talk = nullptr;  // null: nothing is on its standard input
};

struct ProcessResult {
  enum class End {
    kExit,
    kSignal,
    kTimeout,
    kInterrupted,
    kNotStarted,
    kMemory,
    kTasks,
    kDisk,
    kTalk,  // Talk threw
  };
  End end = End::kExit;
  // Exit status, signal number, or errno of what kept it from starting (0: see output). Bubblewrap
  // tells a signal as shells do, by an exit status of 128 more.
  int code = 0;
  std::int64_t memory_bytes = 0;   // the most that was seen of it, of all its processes together
  std::string output;              // the last kOutputBytes of its stdout and stderr
  std::exception_ptr thrown = {};  // by Talk
};

inline constexpr std::size_t kOutputBytes = 16'384;

// Returns when the program has ended and no process that descends from it is left. Limits of
// memory, tasks and disk are looked at twenty times a second or as often as that is cheap; memory
// and tasks also by a control group, where one can be made. Throws Error if no process can be made.
[[nodiscard]] ProcessResult run_process(const ProcessRequest& request);

}  // namespace cupel
