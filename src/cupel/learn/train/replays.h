// How often a bound program runs at least: over so many replays, what is computed once is spread
// when the order of products is chosen (engine/program/product_order.h).
#pragma once

#include <algorithm>

#include "cupel/learn/train/rule.h"

namespace cupel {

// Epochs that every run under a rule takes, unless it fails. Stands in a run's identity, as the
// order of products shows in its bits.
inline int least_epochs(const TrainRule& rule) {
  return rule.patience == 0 ? rule.max_epochs : std::min(rule.max_epochs, rule.patience);
}

// Of what is bound for a single pass: test nodes, a first step on all rows, the end of a phase.
inline constexpr int kOnce = 1;

}  // namespace cupel
