// Running a program with limits, and ending all of it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cupel {

struct ProcessRequest {
  std::vector<std::string> command;  // the program is looked up in PATH unless it has a '/'
  std::filesystem::path folder;      // where it starts
  std::filesystem::path output;      // file for its stdout and stderr
  std::vector<std::pair<std::string, std::string>> environment;  // added where not set yet
  std::int64_t memory_bytes = 0;  // data limit of each process; 0: none
  std::int64_t file_bytes = 0;    // largest file it may write; 0: any
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* interrupt = nullptr;
};

struct ProcessResult {
  enum class End { kExit, kSignal, kTimeout, kInterrupted, kNotStarted };
  End end = End::kExit;
  int code = 0;  // exit status, signal number, or errno of what kept it from starting
  std::int64_t memory_bytes = 0;  // largest resident size
};

// Returns when the program has ended. Its process group is killed then, whatever it left running,
// and so it is if this process dies. Throws Error if no process can be made.
[[nodiscard]] ProcessResult run_process(const ProcessRequest& request);

}  // namespace cupel
