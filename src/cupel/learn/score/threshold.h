// What scores say is true, where they are held against a threshold.
#pragma once

#include <algorithm>
#include <functional>

#include "cupel/base/options.h"
#include "cupel/learn/score/pool.h"

namespace cupel {

// The setting "threshold" of a metric: 0.5 is for probabilities, and for answers of 0 and 1.
[[nodiscard]] inline OptionSpec threshold_option() {
  return {.name = "threshold",
          .fallback = 0.5,
          .doc = "What scores above it is said to be true.",
          .min = -1e30,
          .max = 1e30};
}

struct SaidTrue {
  Offset positives = 0, negatives = 0;
  Offset all() const { return positives + negatives; }
};

// Of pools, whose scores descend: O(log n).
[[nodiscard]] inline SaidTrue said_true(const Pool& pool, const Options& settings) {
  const auto above = [&](const std::vector<float>& scores) -> Offset {
    const double threshold = settings.real("threshold");
    return std::ranges::partition_point(scores, [&](float score) { return score > threshold; }) -
           scores.begin();
  };
  return {above(pool.positives), above(pool.negatives)};
}

}  // namespace cupel
