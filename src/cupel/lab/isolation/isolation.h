// How an external program is kept apart from labels, from other runs and from the machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/lab/isolation/process.h"
#include "cupel/lab/protocol/protocol.h"

namespace cupel {

inline constexpr int kMostTasks = 1024;  // processes and threads of one run

struct Isolation {
  std::string name;              // as a run's record has it: "bubblewrap" or "none"
  std::filesystem::path keeper;  // bwrap
  std::string reason;            // why "none", as a phrase

  bool isolates() const { return name != "none"; }
};

// What the program asks for and this machine has. Thread-safe.
[[nodiscard]] Isolation isolation_of(const ExternalCommand& program);

// Why the program is not run at all, in one sentence: it requires what this machine has not. "" if
// it is.
[[nodiscard]] std::string isolation_refusal(const ExternalCommand& program);

// What a program is started with.
struct ProgramStart {
  std::filesystem::path task;                // what the program writes to
  std::vector<std::filesystem::path> given;  // files that it finds there and cannot change; without
                                             // isolation they must lie there already
  std::vector<std::filesystem::path>
      hidden;  // places that it may not see, beside the command's own
  std::vector<std::pair<std::string, std::string>> environment;  // set where it is not yet
};

// The request for a run of `program`, but for its limits of time, disk and files. Throws Error
// where it cannot be started: no such program, or something that it may not see.
[[nodiscard]] ProcessRequest program_request(const ExternalCommand& program,
                                             const Isolation& isolation, const ProgramStart& start);

// The task folder as the program knows it.
[[nodiscard]] std::filesystem::path task_seen(const Isolation& isolation,
                                              const std::filesystem::path& task);

}  // namespace cupel
