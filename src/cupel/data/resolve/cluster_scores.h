// How well groups agree with the true ones.
//
// Sources: pairwise precision and recall as usual in record linkage; B-cubed: A. Bagga,
// B. Baldwin, "Algorithms for Scoring Coreference Chains", LREC workshop 1998, with equal weights.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cupel/base/matrix.h"

namespace cupel {

// Shares in [0, 1]; nothing where the denominator is 0. f1 = 2PR / (P + R), 0 where both are 0.
struct Agreement {
  std::optional<double> precision, recall, f1;
};

// With n(i, j) the mentions that are in the true group i and in the found group j, n(i) and n(j)
// those in one of them, n all:
//   pairwise  both = sum C(n(i, j), 2); precision = both / sum C(n(j), 2), recall = both /
//             sum C(n(i), 2), over unordered pairs of mentions
//   B-cubed   precision = 1/n sum n(i, j)^2 / n(j), recall = 1/n sum n(i, j)^2 / n(i): the means
//             over mentions of the share of the group found (or true) that is right
struct ClusterScores {
  Agreement pairwise, b_cubed;
  std::int64_t mentions = 0, true_groups = 0, found_groups = 0;
};

// The groups of each mention, as numbers of 0 or more; a mention with a negative true group is not
// known and left out. O(n log n); 8 bytes a mention.
[[nodiscard]] ClusterScores cluster_scores(std::span<const Index> truth,
                                           std::span<const Index> found);

}  // namespace cupel
