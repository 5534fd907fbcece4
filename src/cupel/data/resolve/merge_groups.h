// Which entities are one, from decisions about pairs.
#pragma once

#include <vector>

#include "cupel/data/facts/academic.h"
#include "cupel/data/resolve/decisions_file.h"

namespace cupel {

// Per entity the smallest entity that is one with it: those that accepted pairs join, directly or
// through others.
//
// Pairs that the file rejects stay apart; those that it leaves open are joined by pairs that the
// file accepts, and by no proposal. Throws Error naming file, line and the way from one to the
// other if pairs that the file accepts join a rejected pair. Proposals are held against the file
// and against rejected proposals, the one with the highest score first, of equal ones the one with
// the smaller numbers. An accepted one that would join a pair that is to stay apart, or with what
// the file accepts two authors of one paper, is made open in `decided`, and counted there; its `by`
// is then kPerson, since lines of the file are in its way. O(n log n) in pairs and authorships, and
// each join linear in the papers of both groups.
[[nodiscard]] std::vector<Index> merge_groups(const TemporalFacts& facts,
                                              const Authorships& authorships,
                                              DecidedPairs& decided);

}  // namespace cupel
