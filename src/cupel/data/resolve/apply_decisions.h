// Facts in which entities that are one have become one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/merged_names.h"

namespace cupel {

struct ResolvedFacts {
  TemporalFacts facts;
  Authorships authorships;
  MergedNames merged;                          // names that no entity has now
  std::vector<Index> entity_of;                // of each entity before: its number now
  std::map<std::string, std::int64_t> counts;  // before, what went, after: they add up
};

// Makes each group one entity. `groups` has per entity the smallest one of its group
// (merge_groups.h), all of one type; `merged` are the names that went into entities of `facts`.
//
// A group has the name of the member with most facts; of equal ones the smallest name, as bytes,
// then the smallest number. Entities are numbered anew: types in their order, within a type in the
// order of each group's smallest member, so that without merges nothing changes where entities
// stand in this order. Facts keep theirs. Of a relation without direction, a fact whose two ends
// have become one is left out; where there is a direction it is kept and counted. Facts that have
// become equal (s, r, o, t; in either order without direction) are one fact, the first, if no facts
// of the relation were equal before; else repeats mean something there, and all are kept. Of
// collaborations `pairs` says which, where it is known. Parts lose the facts that go. Authorships
// are all kept, also where an entity stands on a paper twice.
//
// Memory beside the result: 8 bytes an entity, 16 for each fact of a step of time. Throws Error
// if facts have parts that overlap in time, as nothing tells then what went out of which.
[[nodiscard]] ResolvedFacts apply_merges(const TemporalFacts& facts, const Authorships& authorships,
                                         const MergedNames& merged, std::span<const Index> groups,
                                         std::optional<PairRule> pairs = {});

}  // namespace cupel
