// Nodes that training does not meet, so that what is asked about them is new.
#pragma once

#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/facts/time_split.h"

namespace cupel {

// Nodes drawn without repetition from those at an end of a fact of validation or test; ascending.
// So many are drawn as `share` of all nodes that have a fact in any part, rounded down. What is
// drawn depends on the key and the step alone, and on which nodes there are. Source: Yu et al.,
// "Towards Better Dynamic Graph Learning" (DyGLib), NeurIPS 2023, where the share is 0.1; the draw
// is our own. Memory: 6 bytes a node. Throws Error, which names `name`, if there are not so many.
[[nodiscard]] std::vector<Index> draw_held_out(const FactColumns& facts, const TimeParts& parts,
                                               double share, StreamKey key, std::uint32_t step,
                                               const std::string& name);

// Places of the training facts that have none of these nodes, which ascend, at either end. Throws
// Error if there is none.
[[nodiscard]] std::vector<Index> train_without(const FactColumns& facts, const TimeParts& parts,
                                               const std::vector<Index>& nodes,
                                               const std::string& name);

}  // namespace cupel
