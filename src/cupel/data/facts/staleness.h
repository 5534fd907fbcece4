// How long a fact's subject has been silent.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cupel/data/facts/columns.h"
#include "cupel/data/facts/time_split.h"

namespace cupel {

// Bins of t less the last time before t at which the subject was at either end of any fact, of
// whatever relation and part. Facts of the time t itself do not count.
enum class Staleness : std::uint8_t { one, two, three_to_five, longer, never };
inline constexpr std::size_t kStalenessBins = 5;
inline constexpr std::array<std::string_view, kStalenessBins> kStalenessNames = {"1", "2", "3-5",
                                                                                 ">5", "never"};
using StalenessCounts = std::array<Offset, kStalenessBins>;

struct FactStaleness {
  std::vector<Staleness> of;                 // per test fact, in their order
  std::vector<StalenessCounts> by_relation;  // [relation]
  StalenessCounts all = {};
};

// Takes test facts alone. O(facts + nodes) on one thread; 8 bytes a node, 1 a test fact.
[[nodiscard]] FactStaleness fact_staleness(const FactColumns& facts, const TimeParts& parts);

}  // namespace cupel
