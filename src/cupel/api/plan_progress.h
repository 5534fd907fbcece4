// How far a plan is whose shards are done on many machines.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cupel/lab/shards/frozen_plan.h"
#include "cupel/lab/shards/shard_status.h"

namespace cupel {

struct ShardProgress {
  int shard = 0;
  ShardStatus status;
  // "done", "RUNNING" or what else Slurm says, "running" where somebody else is at it; "damaged"
  // where a store of it is, else "missing".
  std::string state;
  std::string machine;  // of who is at it; empty: nobody
  [[nodiscard]] bool missing() const { return state == "missing" || state == "damaged"; }
};

struct PlanProgress {
  FrozenPlan plan;
  std::filesystem::path folder, store;  // where shards are published, what they are merged into
  std::vector<ShardProgress> shards;
  std::vector<std::filesystem::path> damaged;  // as of PlanStatus

  // Shards that nobody is at, rising.
  [[nodiscard]] std::vector<int> missing() const;
};

// Of the plan in a file; `out` and `store` as published_folder() and merged_store() take them.
// Throws Error as these, read_frozen() and status_of() do. Thread-safe; starts a program of Slurm
// where shards were handed to it.
[[nodiscard]] PlanProgress progress_of(const std::string& plan, const std::string& out,
                                       const std::string& store);

// Which stores are damaged, and what to do about each, a sentence each.
[[nodiscard]] std::vector<std::string> damage_notes(const PlanProgress& progress);

// As `cupel status --json` prints it.
[[nodiscard]] nlohmann::ordered_json plan_progress_json(const PlanProgress& progress);

}  // namespace cupel
