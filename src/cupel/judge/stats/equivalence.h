// What a difference and its error allow to say: an interval, the margin within which it is
// equivalent to nothing, the difference that would have been found, and how much more work says it.
//
// Equivalence is shown by two one-sided tests (Schuirmann, Journal of Pharmacokinetics and
// Biopharmaceutics 1987): a difference is equivalent within +- delta at level alpha if its
// 1 - 2 alpha interval lies inside. It is a claim that needs evidence, where a large p-value is
// none.
//
// Pure functions, safe from any thread; results are finite for finite input. Units: those of the
// difference.
#pragma once

#include <optional>

#include "cupel/judge/stats/bootstrap.h"
#include "cupel/judge/stats/tests.h"

namespace cupel {

// The 1 - 2 alpha confidence interval around the difference: that of two one-sided tests at alpha.
[[nodiscard]] Interval equivalence_interval(const Difference& difference, double alpha);

// The smallest delta within which the difference is equivalent at level alpha: the larger distance
// of the interval's ends from 0.
[[nodiscard]] double smallest_delta(const Difference& difference, double alpha);

// The true difference that a two-sided test at `alpha` with this error finds with probability
// `power`: (t(1 - alpha/2) + t(power)) se, t of the error's degrees of freedom. An approximation of
// the noncentral t distribution, good to some percent from ten degrees of freedom on.
[[nodiscard]] double detectable_difference(double standard_error, double df, double alpha,
                                           double power);

// The error of a mean of n draws set against something with a fixed error of its own:
// variance = per_draw / n + fixed.
struct DesignError {
  double per_draw = 0, fixed = 0;
};
// How many draws would decide a difference that stays as it is: the smallest n from 2 on at which
// it is equivalent within `delta` at `alpha`, or different from 0 at `alpha_different` (two-sided),
// by Student's t with n - 1 degrees of freedom. Absent where no number of draws does, as the fixed
// error alone is too large.
[[nodiscard]] std::optional<double> draws_to_decide(double difference, const DesignError& error,
                                                    double delta, double alpha,
                                                    double alpha_different);

}  // namespace cupel
