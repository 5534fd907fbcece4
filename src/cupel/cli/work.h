// What `run` and `tune` share: doing pending runs while telling how it goes, and what came of it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/run/store.h"

namespace cupel::cli {

// The store at `path` if there is one. With `only_look`, a store that is not there is an empty one
// in memory, so that looking leaves no file behind.
[[nodiscard]] std::unique_ptr<Store> open_store(const std::filesystem::path& path, bool only_look);

// Calls `execute` with options whose progress is shown on a terminal and which Ctrl-C interrupts;
// then says on standard error what was done and what failed. Returns the exit code.
struct WorkReport {
  int exit_code = 0;
  ExecuteSummary summary;
};
[[nodiscard]] WorkReport work(const ExecuteOptions& options, const std::filesystem::path& store,
                              const std::function<ExecuteSummary(const ExecuteOptions&)>& execute);

// The plan as `--dry-run` prints it.
[[nodiscard]] std::string estimate_text(const PlanEstimate& estimate);
[[nodiscard]] std::string estimate_json(const PlanEstimate& estimate);

}  // namespace cupel::cli
