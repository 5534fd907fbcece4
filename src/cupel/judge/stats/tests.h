// Tests of differences, two-sided throughout, and the correction for making many of them.
//
// What a test over splits speaks about: the draw of splits (and initialisations) from *this* data
// set. It says nothing of other data sets of its kind, and test sets of different splits overlap,
// as they do in every published comparison of this form.
//
// Pure functions, safe from any thread; results are finite for finite input.
#pragma once

#include <span>
#include <vector>

namespace cupel {

// P(|T| >= |t|) for Student's t with df degrees of freedom (infinity: normal). df > 0.
[[nodiscard]] double student_p(double t, double df);
// The t that |T| exceeds with probability alpha, e.g. 1.96 for alpha 0.05 and df infinity.
[[nodiscard]] double student_critical(double alpha, double df);

// One independent contribution to the error of a difference: a squared standard error, and the
// degrees of freedom with which it was estimated (infinity: known).
struct ErrorPart {
  double variance = 0, df = 0;
};

struct Difference {
  double value = 0, standard_error = 0, df = 0;
  double p = 1;
  // Half the width of the (1 - alpha) confidence interval around `value`.
  [[nodiscard]] double margin(double alpha) const;
};

// A difference against the errors of its two sides (any number of parts): t = d / sqrt(sum v_i),
// df = (sum v_i)^2 / sum(v_i^2 / df_i) (Welch, Biometrika 1947; Satterthwaite, 1946). Without any
// error the p-value is 1 for no difference and 0 for any other.
[[nodiscard]] Difference welch(double difference, std::span<const ErrorPart> errors);

// Paired t test of a - b, entry by entry. Requires equal sizes of at least two.
[[nodiscard]] Difference paired_t(std::span<const double> a, std::span<const double> b);

// Whether two values are equal but for what rounding makes of equal means: not 2^-40 of the larger
// one apart. Finite numbers.
[[nodiscard]] bool is_tie(double a, double b);

// a - b in whole multiples of 2^-40 of the largest value, so that what rounding made of equal
// values or of equal differences is equal again: 0.3 - 0.2 and 0.4 - 0.3 are not the same double.
// Requires equal sizes.
[[nodiscard]] std::vector<double> grained_differences(std::span<const double> a,
                                                      std::span<const double> b);

struct SignedRank {
  double statistic = 0;  // sum of the ranks of positive differences
  int n = 0;             // differences that are not zero
  double p = 1;
};
// Wilcoxon's signed-rank test of a - b (Biometrics Bulletin 1945), by grained_differences(). Zero
// differences are dropped, ties share their mean rank. Up to 50 differences the p-value is exact
// given the ties; beyond, normal with the variance corrected for ties and no continuity correction.
// Requires equal sizes.
[[nodiscard]] SignedRank wilcoxon(std::span<const double> a, std::span<const double> b);

// Holm's step-down correction (Scandinavian Journal of Statistics 1979): p-values, in the order
// given, such that rejecting those <= alpha errs anywhere with probability at most alpha.
[[nodiscard]] std::vector<double> holm(std::span<const double> p);

// What a p-value of Friedman's test is.
enum class FriedmanP {
  kCounted,        // the share of all orders of the ranks
  kF,              // that of F
  kChanceOfRanks,  // the chance of the observed ranks whatever the names of the treatments
};
struct Friedman {
  double chi_squared = 0, df = 0;
  double f = 0;  // of Iman and Davenport
  double p = 1;
  FriedmanP p_is = FriedmanP::kCounted;
  bool alike = false;  // whether every block ranks the treatments alike, not all as ties
  std::vector<double> mean_ranks;  // by treatment, 1 = largest value
};
// Do k treatments differ over n blocks? (Friedman, JASA 1937, corrected for ties.) values[block]
// holds one value per treatment. Requires n >= 1, k >= 2.
//
// p is the share of all orders of the ranks within the blocks, ties as they are, that give a
// statistic as large: exact, whatever the sizes. Where they are too many to count, it is that of F
// with k - 1 and (k - 1)(n - 1) degrees of freedom, which is less conservative than chi squared
// (Iman and Davenport, Communications in Statistics 1980), or the chance of the observed ranks
// whatever the names of the treatments, if that is larger. Where every block has the same order, F
// is unbounded: it is then the largest finite number, and p the chance of that, k!^(1 - n) without
// ties. p is 1 where every block is all ties.
[[nodiscard]] Friedman friedman(const std::vector<std::vector<double>>& values);

// Two of k mean ranks over n blocks differ at level alpha if they are further apart than this:
// q sqrt(k (k + 1) / (6 n)), q the studentised range over sqrt 2 (Nemenyi 1963; Demsar, JMLR 2006).
[[nodiscard]] double nemenyi_difference(int k, int n, double alpha);

// Kendall's tau-b of two orderings of the same items (Biometrika 1938; ties as in 1945): 1 for the
// same order, -1 for the reverse; 0 where either is all ties. Requires equal sizes.
[[nodiscard]] double kendall(std::span<const double> a, std::span<const double> b);

// Ranks of values, 1 = largest; ties, by is_tie() from one value to the next, share their mean
// rank.
[[nodiscard]] std::vector<double> ranks_from_best(std::span<const double> values);

}  // namespace cupel
