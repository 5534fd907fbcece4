// What resolving takes of memory, as far as counts can tell before it is done.
#pragma once

#include <cstddef>

#include "cupel/data/facts/academic.h"
#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/propose.h"

namespace cupel {

// Bytes that facts and authorships take once they are read. Linear in names. Thread-safe.
[[nodiscard]] std::size_t held_memory(const TemporalFacts& facts, const Authorships& authorships);

// Bytes that propose_merges() takes beside, but for the pairs that it proposes: how many these are
// is not known before names are compared, and depends on how alike they are. With the table that is
// written of them they take some 600 bytes each. Linear in authorships. Thread-safe.
[[nodiscard]] std::size_t propose_memory(const TemporalFacts& facts, const Authorships& authorships,
                                         const ProposeSettings& settings);

}  // namespace cupel
