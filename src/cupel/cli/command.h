// A command of the program: what it takes and what it does.
//
// One file per command in commands/, which defines `extern const Command command_<file stem>`; the
// build lists them. Only this wing prints: results on standard output, everything else on standard
// error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cupel/cli/syntax.h"

namespace cupel::cli {

// What the program ends with; kRunsFailed: runs failed, or could not start; kDoesNotHold: stores
// contradict each other, or one is not as it was kept. An interrupted one ends with 128 + the
// signal's number, as shells expect.
enum ExitCode : int { kDone = 0, kRunsFailed = 1, kBadInput = 2, kDoesNotHold = 3, kBug = 4 };

// Performs a command whose arguments have been parsed; returns the exit code. Throws Error.
using Action = std::function<int()>;

// What a command is about. The help lists topics in this order, commands of one topic by name.
enum class Topic { kThereIs, kDataSets, kRuns, kResults, kStores, kClusters };

struct Command {
  Topic topic;
  const char* name;  // "list"
  const char* doc;   // one phrase for the help
  Action (*declare)(Syntax& syntax);
};

// In the order of the help.
[[nodiscard]] const std::vector<const Command*>& commands();

}  // namespace cupel::cli
