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
};

// One for each of plan.shards shards. Whatever was published of the plan counts, in how many shards
// it was ever cut. Throws Error for a store that cannot be read.
[[nodiscard]] std::vector<ShardStatus> shard_statuses(const FrozenPlan& plan,
                                                      const std::filesystem::path& folder);

}  // namespace cupel
