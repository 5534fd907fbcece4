// The error of a mean over splits that share examples, as the folds of a cross-validation do.
//
// What such an error speaks of depends on how the splits came about:
//   - Folds drawn anew a few times: each repetition is an independent draw of folds, so that the
//     error is clustered by repetition. It speaks of this data set: of what other folds of it give.
//   - Folds drawn once, or random parts: each training part shares most of its examples with the
//     others, and the spread of the splits alone is too small an error. Corrected by the factor
//     1/n + n_test/n_train instead of 1/n (Nadeau and Bengio, "Inference for the Generalization
//     Error", Machine Learning 2003, section 5.1) it speaks of other data of this kind as well.
//   - Others, of which no such share is known: the standard error of independent splits. It speaks
//     of other splits of this data set, and knows nothing of the examples that they share.
//
// Pure functions, safe from any thread. Units: those of the input.
#pragma once

#include <map>
#include <span>
#include <string>

#include "cupel/judge/stats/descriptive.h"
#include "cupel/lab/results/results.h"

namespace cupel {

// What an error speaks of.
enum class ErrorScope { kRepetitions, kOtherData, kSplits };

// "repetitions", "other-data", "splits".
[[nodiscard]] std::string to_text(ErrorScope scope);

// Of fewer repetitions nothing is said: Student's t with one degree of freedom is 12.7.
inline constexpr int kFewestRepetitions = 3;

// The repetitions of a cross-validation that have all their folds, by number; of each the scores by
// split. A repetition that lacks a fold is no draw like the others. None of other designs.
[[nodiscard]] std::map<int, ScoresBySplit> complete_repetitions(const ScoresBySplit& scores,
                                                                const SplitDesign& design);
// Each repetition as one cluster.
[[nodiscard]] ScoresBySplit as_clusters(const std::map<int, ScoresBySplit>& repetitions);

// By which of the three a mean over these splits is judged. Repetitions count where all their folds
// are there.
[[nodiscard]] ErrorScope error_scope(const std::map<int, double>& by_split,
                                     const SplitDesign& design);

// The mean of values of splits that share examples, with its error for other data of this kind: the
// variance of the mean is s^2 (1/n + test_to_train), df = n - 1; of repeated cross-validations as
// well (Bouckaert and Frank, PAKDD 2004). Requires at least one value.
[[nodiscard]] Estimate other_data_estimate(std::span<const double> values, double test_to_train);

// The mean of a value for each split, with the error of this scope; by repetitions, that of those
// which are complete. The error is absent where the draws are too few to tell. Requires at least
// one split.
[[nodiscard]] Estimate resampled_estimate(const std::map<int, double>& by_split,
                                          const SplitDesign& design);

}  // namespace cupel
