// The files of a task as an external program gets them (external.h), to develop one with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "cupel/base/options.h"
#include "cupel/learn/program_task.h"
#include "cupel/learn/view.h"

namespace cupel {

// The arrays of task.npz as external.h describes it. Nothing is in them but what the view holds.
[[nodiscard]] NpyMembers task_members(const View& view);
void write_task_npz(const std::filesystem::path& path, const View& view);

// What a program is told of a run.
struct ProgramRun {
  int split = 0, init = 0, threads = 1;
  std::uint32_t seed = 0;
  double budget_seconds = 3600;
  std::string metric = "accuracy";
  std::map<std::string, OptionValue> settings = {};
};

// The text of task.json, keys in alphabetical order.
[[nodiscard]] std::string task_json(const View& view, const ProgramRun& run);
// The same where the facts of the view's ProgramTask are at hand.
[[nodiscard]] std::string task_json(const View& view,
                                    const std::map<std::string, OptionValue>& facts,
                                    const ProgramRun& run);

}  // namespace cupel
