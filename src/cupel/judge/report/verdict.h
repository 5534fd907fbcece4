// Is our mean the published one? Different, equivalent within delta, or not to be told.
//
// The verdict on a cell depends on its own runs, its published value, delta and the number of
// published values of its table: never on what else a store holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/judge/stats/bootstrap.h"
#include "cupel/judge/stats/descriptive.h"
#include "cupel/judge/stats/equivalence.h"
#include "cupel/judge/stats/tests.h"

namespace cupel {

inline constexpr double kAlpha = 0.05;   // of every verdict and comparison
inline constexpr double kPower = 0.8;    // with which a detectable gap would have been found
inline constexpr int kFewestDraws = 10;  // below this nothing is concluded and nothing resampled

enum class Verdict {
  kEquivalent,     // the interval of the gap lies within +- delta
  kDifferent,      // the gap is not 0, corrected over the published values of the table
  kUndecided,      // cannot tell: neither is shown
  kNotComparable,  // ours covers other data sets or models than the published value
  kNotTested,      // a rank: it has no error of its own
  kNotPublished,   // nothing to compare with
  kNoRuns,         // nothing to compare
};
inline constexpr Verdict kVerdicts[] = {
    Verdict::kEquivalent, Verdict::kDifferent,    Verdict::kUndecided, Verdict::kNotComparable,
    Verdict::kNotTested,  Verdict::kNotPublished, Verdict::kNoRuns};

[[nodiscard]] std::string to_text(Verdict verdict);  // "equivalent", "no published value"
// One character, "" where there is nothing to mark; a difference points to the side of the gap.
[[nodiscard]] std::string mark_of(Verdict verdict, double gap);

// A published mean, in the unit it is printed in.
struct PublishedMean {
  double mean = 0;
  std::optional<double> spread;
  std::string spread_kind;      // "sd...", "sd_ddof0...", "se...", "ci95...", "none", or
                                // "deterministic"
  std::optional<double> draws;  // independent draws behind it, if known
  double unit = 0;              // of its last printed digit: 0.1 for 81.5
  // Runs behind it, if known: more than draws, where a draw is of several.
  std::optional<double> runs = {};
};

// A mean of ours and how well it is known.
struct OwnMean {
  std::optional<Estimate> estimate;
  std::optional<double> sd;  // over runs or splits
  // How many times ours repeats what the publication did once, on the same splits or data: then our
  // own repetitions say how far one repetition strays. 0: the published spread is taken instead.
  int repetitions = 0;
  // Then also: the variance between the splits, which both sides share, and that of runs of one.
  double between = 0, within = 0;
  std::string basis = {};  // what the error is over, where it is not the splits
  // Where the error is an upper bound: the option with which runs give a smaller one.
  std::string sharper = {};
  // Over the means of splits that were drawn at random, where there are several.
  std::optional<double> sd_over_splits = {};
  int runs = 0;  // with a score, behind the estimate
};

// The same mean at the looks that were taken, where runs end as soon as a cell is decided.
struct LookMeans {
  std::vector<int> sizes;      // splits, or initialisations, at each look that is planned
  std::vector<OwnMean> means;  // of the looks that have all their runs: the first so many
};

// One difference, ours - published, with the evidence for it.
struct GapTest {
  Difference gap;           // against all error that is known, the largest it can be
  bool error_known = true;  // false: the publication gives no error, and the gap's leaves it out
  DesignError design;       // our part of the error by draw, and the rest
  std::string basis;        // what is known of the published error: one phrase
};

// Whether a published spread is of the initialisations of given splits alone.
[[nodiscard]] bool is_over_inits(const std::string& spread_kind);

// Errors: ours as estimated; the published spread over the root of its draws, or of one draw where
// their number is not stated; and the rounding of the printed mean, variance unit^2 / 12. The
// pooled spread of a table over splits and initialisations, over the root of the splits, is an
// upper bound of that error. So is a bootstrap of pooled runs with its variance times the runs of a
// draw, as it takes the runs of a split for independent. Where only the spread is missing, ours
// stands in for it; so does our spread over splits, where the published one is over initialisations
// and ours are other splits. A few draws are apt to miss the rare ones that lie far off, and the
// error by their spread is then too small, whatever t's degrees of freedom allow for: where the
// published draws are more than ours and strayed further, ours count as having strayed as far.
// ours.sd is to be of published.spread's kind. Where the published run counts as one more
// repetition of ours and its draws strayed significantly further than those of a repetition do,
// what they strayed further is error too. Requires ours to have a standard error.
[[nodiscard]] GapTest test_gap(const OwnMean& ours, const PublishedMean& published);

// The levels at which a gap is judged: of each one-sided test of equivalence, and of the two-sided
// test of a difference.
struct Levels {
  double equivalent = kAlpha;
  double different = kAlpha;
};
// Of a table with so many published values: a difference is corrected by Bonferroni, so that with
// probability 0.95 no cell is called different by chance. Equivalence needs no correction, as each
// claim needs evidence of its own, and gets none from other cells.
[[nodiscard]] Levels levels_for(int family);

struct Judgement {
  Verdict verdict = Verdict::kUndecided;
  Interval interval;          // of the gap, at the level of the equivalence tests
  double smallest_delta = 0;  // within which the gap would be equivalent
  double p_corrected = 1;     // <= kAlpha where the gap is not 0
  double detectable_gap = 0;  // that would have been called different with probability kPower
  // That would decide it, if the gap stays; absent: none would. About so many: n - 1 degrees of
  // freedom are taken, also where the error has others.
  std::optional<double> draws;
};
// The levels of look k of `sizes`, so that all looks together keep to `once`.
[[nodiscard]] std::vector<Levels> levels_of_looks(const std::vector<int>& sizes,
                                                  const Levels& once);

// Whether draws to come may still decide a gap: whether some number of them would, wherever our
// mean may go, which is taken to be within four of its standard errors. No, where the published
// error is not known, or so large that it hides both answers. Fewer than kFewestDraws tell nothing.
[[nodiscard]] bool may_be_decided(const OwnMean& ours, const GapTest& test, double delta,
                                  const Levels& levels);

// The same where nothing is drawn on either side: the gap is known but for the rounding of the
// printed value, half of `unit`, which then is the interval. A gap beyond it is different, unless
// it is equivalent. There is no p.
[[nodiscard]] Judgement judge_drawless(double gap, double unit, double delta);

// `draws`: independent ones behind our mean; below kFewestDraws, and without a published error,
// nothing is decided. A gap that is equivalent is called so even if it is not 0.
[[nodiscard]] Judgement judge(const GapTest& test, int draws, double delta, const Levels& levels);

}  // namespace cupel
