// The five groups of facts to be predicted (Horawalavithana et al. 2022, EXPERT, section 5).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cupel/data/facts/seen.h"
#include "cupel/data/facts/time_split.h"

namespace cupel {

// Of a fact (s, r, o), by what training has seen; validation makes nothing seen. A node is seen if
// it is at either end of any training fact, whatever the relation.
enum class FactGroup : std::uint8_t {
  repeated,          // s and o are seen, and (s, r, o) was a training fact, at whatever time; of a
                     // relation without direction also if (o, r, s) was
  first_time,        // s and o are seen, the fact is not
  seen_to_unseen,    // s is seen, o is not; ends as the fact is written, with direction or not
  unseen_to_seen,    // o is seen, s is not
  unseen_to_unseen,  // neither is
};
inline constexpr std::size_t kFactGroups = 5;
// In the order of FactGroup: "repeated", "first_time", ...
inline constexpr std::array<std::string_view, kFactGroups> kFactGroupNames = {
    "repeated", "first_time", "seen_to_unseen", "unseen_to_seen", "unseen_to_unseen"};

using GroupCounts = std::array<Offset, kFactGroups>;

struct FactGroups {
  std::vector<FactGroup> of;             // per test fact, in their order
  std::vector<GroupCounts> by_relation;  // [relation]; they sum to the relation's test facts
  GroupCounts all = {};
};

// With what training has seen. Time O(test log of a row), memory a byte for each test fact.
[[nodiscard]] FactGroups fact_groups(const FactColumns& test, const FactCounts& seen_facts,
                                     const NodeSet& seen_nodes, Threads threads);
// The same; what training has seen is counted first (FactCounts says in what memory).
[[nodiscard]] FactGroups fact_groups(const FactColumns& facts, const TimeParts& parts,
                                     Undirected undirected, Threads threads);

}  // namespace cupel
