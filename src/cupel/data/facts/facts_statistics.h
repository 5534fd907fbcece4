// What facts over time are, and how hard it is to predict the last of them: Table 2 of
// Horawalavithana et al. 2022 (EXPERT), their groups and complexities, and staleness.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/data/facts/complexity.h"
#include "cupel/data/facts/groups.h"
#include "cupel/data/facts/staleness.h"

namespace cupel {

// Names of what the columns number. `type`: per node its number in `types`; both may be empty, for
// nodes of one kind. Refers to what it is given.
struct FactNames {
  std::span<const std::string> relations;  // empty: their numbers are their names
  std::span<const std::string> types;      // in the singular: "scientist"
  std::span<const std::uint8_t> type;
};

// Names that tell `count` relations apart: those given, else numbers. One that is there already
// gets its number behind it, "all" too, which stands for all relations.
[[nodiscard]] std::vector<std::string> distinct_names(std::span<const std::string> given,
                                                      Index count);

// A row of Table 2.
struct PartStatistics {
  std::string part;                 // "train", "valid", "test"
  std::int64_t from = 0, to = 0;    // first and last time that occur
  Offset facts = 0, nodes = 0;      // nodes that are at an end of one of these facts
  std::vector<Offset> by_type;      // [type] of these nodes
  std::vector<Offset> by_relation;  // [relation] facts; each that stands there counts
};

struct FactsStatistics {
  TimeCuts cuts;
  std::vector<std::string> relations, types;  // names, each once
  std::vector<PartStatistics> parts;          // the three
  FactGroups groups;                          // of test facts
  FactStaleness staleness;                    // of test facts
  std::vector<Complexity> complexity;         // [relation]
  Complexity complexity_all;
};

// `name` is for sentences. Memory at most: 8 bytes for each training fact, some 16 for each node, 2
// for each test fact, beside the columns. The same on any number of threads. Throws Error as
// parts_at() does; std::logic_error if the columns are not as they must be.
[[nodiscard]] FactsStatistics facts_statistics(const FactColumns& facts, const FactNames& names,
                                               const TimeCuts& cuts, Undirected undirected,
                                               const std::string& name, Threads threads);

// One row of Figure 4: what a later cut (moved_cuts) makes of groups and complexity.
struct CutComplexity {
  TimeCuts cuts;
  std::vector<GroupCounts> by_relation;
  GroupCounts all = {};
};
// Of cuts 0 to `splits` - 1. Time as many times that of the groups. Throws Error if there are fewer
// (check_later_cuts), and as parts_at() does.
[[nodiscard]] std::vector<CutComplexity> complexity_over_time(const FactColumns& facts,
                                                              const TimeCuts& first, Offset splits,
                                                              Undirected undirected,
                                                              const std::string& name,
                                                              Threads threads);

}  // namespace cupel
