// Splits in four parts as Wiki-CS has them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel::wiki_cs {

// Drawn as the released code draws them, class by class, from Python's generator: half of the class
// is test, which all splits share; of the rest, shuffled anew for each split, 5 % of the class are
// training, 30 % stopping, and what is left validation; all rounded down. The paper has 22.5 % for
// the last two.
[[nodiscard]] std::vector<Split> draw_splits(std::span<const Index> labels, Index classes,
                                             int count, std::uint64_t seed);

}  // namespace cupel::wiki_cs
