// What scores say is true, where they are held against a threshold.
#pragma once

#include <algorithm>
#include <functional>

#include "cupel/base/error.h"
#include "cupel/base/options.h"
#include "cupel/learn/score/pool.h"

namespace cupel {

// The setting "threshold" of a metric: 0.5 is for probabilities, and for answers of 0 and 1.
[[nodiscard]] inline OptionSpec threshold_option() {
  return {.name = "threshold",
          .fallback = 0.5,
          .doc = "What scores above it is said to be true.",
          .min = -1e30,  // kMostThreshold
          .max = 1e30};
}

// The setting "by": what says the threshold. "valid" is for scores of whatever scale: the one by
// which most of validation is told right (best_threshold()), as Socher et al., "Reasoning With
// Neural Tensor Networks", NeurIPS 2013, section 4.2, choose theirs.
[[nodiscard]] inline OptionSpec threshold_by_option() {
  return {.name = "by",
          .fallback = std::string("threshold"),
          .doc = "What says the threshold: the setting, or validation, by what is told right most.",
          .choices = {"threshold", "valid"}};
}

// Whether settings of a metric leave the threshold to validation.
[[nodiscard]] inline bool is_by_valid(const Options& settings) {
  const auto found = settings.all().find("by");
  return found != settings.all().end() && found->second == OptionValue(std::string("valid"));
}

inline constexpr double kMostThreshold = 1e30;

// The threshold by which most is told right, what scores above it being said to be true; of several
// the highest. It lies in the middle between two scores, at the highest of all where nothing is
// said to be true, and at -kMostThreshold where all is. Linear. Requires both lists not to be
// empty.
[[nodiscard]] double best_threshold(const Pool& pool);

struct SaidTrue {
  Offset positives = 0, negatives = 0;
  Offset all() const { return positives + negatives; }
};

// Of pools, whose scores descend: O(log n). Throws Error where validation is to say the threshold:
// whoever has one says it in its place.
[[nodiscard]] inline SaidTrue said_true(const Pool& pool, const Options& settings) {
  if (is_by_valid(settings))
    fail("nothing was validated that a threshold could be chosen by; give one, as threshold=0");
  const auto above = [&](const std::vector<float>& scores) -> Offset {
    const double threshold = settings.real("threshold");
    return std::ranges::partition_point(scores, [&](float score) { return score > threshold; }) -
           scores.begin();
  };
  return {above(pool.positives), above(pool.negatives)};
}

}  // namespace cupel
