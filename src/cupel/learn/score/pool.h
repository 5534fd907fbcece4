// Positives and negatives in one pool, and what is computed from their order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/base/options.h"

namespace cupel {

// Scores from the best down; no NaN. Larger means more likely.
struct Pool {
  std::vector<float> positives, negatives;
};

// Sorts the scores by kind: `answers` are 1 (positive) or 0. O(n log n) time, 4 n bytes.
// Throws Error if sizes differ or a score is NaN.
[[nodiscard]] Pool make_pool(std::span<const float> scores, std::span<const std::uint8_t> answers);

// Probability that a random positive scores higher than a random negative; ties count half (Hanley
// and McNeil 1982). Neither list may be empty.
[[nodiscard]] double roc_auc(const Pool& pool);
// The same of labels: class 1 are the positives. Throws Error if a class has no example.
[[nodiscard]] double roc_auc(std::span<const double> ranking, std::span<const Index> labels);

// Sum over the different scores s, from the best down, of (share of the positives that score s) x
// (share of positives among all that score s or higher): precision weighted by the gain in recall,
// with no interpolation, ties taken together. scikit-learn's average_precision_score. Neither list
// may be empty. Every positive is there `copies` times, with the same score.
[[nodiscard]] double average_precision(const Pool& pool, std::int64_t copies = 1);
// The setting "positives" of a metric, which is that number.
[[nodiscard]] OptionSpec copies_option();

}  // namespace cupel
