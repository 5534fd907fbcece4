// What resolving takes of memory, told before it is done.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/propose.h"

namespace cupel {

// Bytes that facts and authorships take once they are read. Linear in names. Thread-safe.
[[nodiscard]] std::size_t held_memory(const TemporalFacts& facts, const Authorships& authorships);

// Bytes that propose_merges() takes beside, but for the pairs that it proposes, whose number
// Proposer::expected() tells. Linear in authorships. Thread-safe.
[[nodiscard]] std::size_t propose_memory(const TemporalFacts& facts, const Authorships& authorships,
                                         const ProposeSettings& settings);

// Bytes that so many pairs take while they are proposed, and then with the table of them.
[[nodiscard]] std::size_t proposed_memory(std::int64_t pairs);
[[nodiscard]] std::size_t decided_memory(std::int64_t pairs);

}  // namespace cupel
