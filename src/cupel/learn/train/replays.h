// How often a bound program is expected to run: over so many replays, what is computed once is
// spread when the order of products is chosen (engine/program/product_order.h). As that order shows
// in a run's bits, nothing enters but what stands in a run's identity.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cupel/learn/train/rule.h"

namespace cupel {

// Epochs of a run. With a patience of 50, runs of the node protocols take 75 to 950, half of them
// less than 350; and initialisations share what is bound for a split.
inline int expected_epochs(const TrainRule& rule) {
  if (rule.patience == 0) return rule.max_epochs;
  return static_cast<int>(std::min<std::int64_t>(rule.max_epochs, std::int64_t{5} * rule.patience));
}

// Of what is bound for a single pass: test nodes, a first step on all rows, the end of a phase.
inline constexpr int kOnce = 1;

}  // namespace cupel
