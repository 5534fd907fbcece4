// Examples with and without a label. A node whose class nobody knows is part of the graph, has the
// label kNoLabel, and is in no part of a split, in no class and in no statistic of labels.
#pragma once

#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

inline constexpr Index kNoLabel = -1;

// Where tasks are asked, whether some answers are known or not.
[[nodiscard]] inline bool is_labelled(const Dataset& dataset, Index example) {
  if (dataset.has_tasks()) return true;
  const auto at = static_cast<std::size_t>(example);
  return at < dataset.labels().size() && dataset.labels()[at] != kNoLabel;  // or nothing is asked
}

// Ids of the examples that have a label, ascending.
[[nodiscard]] std::vector<Index> labelled_examples(const Dataset& dataset);

[[nodiscard]] Index count_unlabelled(const Dataset& dataset);

}  // namespace cupel
