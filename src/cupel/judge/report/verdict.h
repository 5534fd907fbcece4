// Does our mean agree with the published one? A test of the difference against both errors.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/judge/stats/descriptive.h"
#include "cupel/judge/stats/tests.h"

namespace cupel {

inline constexpr double kAlpha = 0.05;  // of every verdict and comparison
inline constexpr int kFewestDraws = 3;  // below this nothing is tested

enum class Verdict {
  kAgrees,         // the difference is within what both errors explain
  kHigher,         // ours is higher, beyond both errors
  kLower,          // ours is lower, beyond both errors
  kUndecided,      // the publication does not state its error, and the answer depends on it
  kNotComparable,  // ours covers other data sets or models than the published value
  kTooFewRuns,     // fewer than three independent draws of ours
  kNotTested,      // a rank: it has no error of its own
  kNotPublished,   // nothing to compare with
  kNoRuns,         // nothing to compare
};
inline constexpr Verdict kVerdicts[] = {
    Verdict::kAgrees,    Verdict::kHigher,        Verdict::kLower,
    Verdict::kUndecided, Verdict::kNotComparable, Verdict::kTooFewRuns,
    Verdict::kNotTested, Verdict::kNotPublished,  Verdict::kNoRuns};

[[nodiscard]] std::string to_text(Verdict verdict);     // "agrees", "no published value"
[[nodiscard]] std::string mark_of(Verdict verdict);     // one character, "" where there is nothing
[[nodiscard]] std::string meaning_of(Verdict verdict);  // one sentence, for legends

// A published mean, in the unit it is printed in.
struct PublishedMean {
  double mean = 0;
  std::optional<double> spread;
  std::string spread_kind;      // "sd...", "sd_ddof0...", "se...", "ci95...", or "none"
  std::optional<double> draws;  // independent draws behind it, if known
  double unit = 0;              // of its last printed digit: 0.1 for 81.5
};

// One difference, ours - published, with the evidence for it.
struct GapTest {
  Difference gap;  // against all error that is known
  // The p-value if the published error is as small, and as large, as it can be. Equal where it is
  // stated; with an unstated number of draws it lies between none and that of a single draw.
  double p_smallest = 1, p_largest = 1;
  std::string basis;  // what is known of the published error: one phrase
};

// Errors: ours as estimated (clustered by split); the published spread over the root of its draws;
// and the rounding of the printed mean, variance unit^2 / 12. The pooled spread of a table over
// splits and initialisations, over the root of the splits, is an upper bound of that error.
// Where only the spread is missing, ours (`our_sd`) stands in for it.
// Requires ours to have a standard error.
[[nodiscard]] GapTest test_gap(const Estimate& ours, std::optional<double> our_sd,
                               const PublishedMean& published);

struct Decision {
  Verdict verdict = Verdict::kAgrees;
  double p_corrected = 1;  // Holm over the family, of p_largest
};
// Verdicts for a family of tests (the cells of one table), corrected by Holm: with probability
// 0.95 no cell of the table is called higher or lower by chance. "Higher" and "lower" hold however
// large the published error is, "agrees" however small; else the cell is undecided.
[[nodiscard]] std::vector<Decision> decide(std::span<const GapTest> family);

}  // namespace cupel
