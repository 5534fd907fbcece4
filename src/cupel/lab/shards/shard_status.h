// How far the shards of a plan are, from what they have published.
#pragma once

#include <filesystem>
#include <vector>

#include "cupel/lab/shards/frozen_plan.h"

namespace cupel {

struct ShardStatus {
  int runs = 0;    // of the shard
  int done = 0;    // of these, published by any machine, well or badly
  int failed = 0;  // of the done ones: failed or timed out
  double seconds_left = 0;
  std::vector<std::filesystem::path> damaged;  // published stores of it that are not whole
};

struct PlanStatus {
  std::vector<ShardStatus> shards;             // one for each of plan.shards
  std::vector<std::filesystem::path> damaged;  // of all shards, and of other cuts of the plan
};

// Whatever was published of the plan counts, in how many shards it was ever cut, but for stores
// that are not whole. Throws Error for a folder or a store that may not be read.
[[nodiscard]] PlanStatus status_of(const FrozenPlan& plan, const std::filesystem::path& folder);

}  // namespace cupel
