// Who does what, where several machines share a plan.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupel {

// Runs that stay together: those of a family on a split.
struct ShardUnit {
  std::string family;  // id
  int split = 0;
  int first = 0, runs = 0;  // inits first to first + runs - 1
  std::uint64_t work = 0;   // of one run, or what may be expected of it
};

// A part of a unit: inits first to first + count - 1.
struct ShardPart {
  std::size_t unit = 0;  // index
  int first = 0, count = 0;
};

// The parts of shard `index` of `count`, unit by unit. The shards of one list of units are disjoint
// and complete, and a function of the list but for its order: machines that plan the same come to
// the same. The largest part goes to the lightest shard in turn; a unit is cut where it is more
// than a twentieth of a shard, so that no shard has more than a twentieth above the mean, or one
// run.
[[nodiscard]] std::vector<ShardPart> shard_parts(const std::vector<ShardUnit>& units, int index,
                                                 int count);

}  // namespace cupel
