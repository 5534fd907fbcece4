// What a sample looks like: mean, spread, quartiles, and the standard error of a mean whose values
// come in clusters.
//
// Every function takes finite numbers and gives finite numbers; a quantity that the sample is too
// small for is absent, never NaN. Pure functions, safe from any thread. Units: those of the input.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace cupel {

// Sum over n. Requires at least one value.
[[nodiscard]] double mean_of(std::span<const double> values);

// Sample standard deviation, sqrt(sum (x - mean)^2 / (n - 1)); absent below two values.
[[nodiscard]] std::optional<double> sample_sd(std::span<const double> values);

// The p-quantile by linear interpolation between order statistics at 1 + (n - 1) p: type 7 of
// Hyndman and Fan, "Sample quantiles in statistical packages", The American Statistician 1996; the
// default of NumPy, R and Vega. `sorted` ascends and is not empty; p in [0, 1].
[[nodiscard]] double quantile(std::span<const double> sorted, double p);

// A box plot after Tukey, "Exploratory Data Analysis", 1977: the whiskers end at the last values
// within 1.5 (q3 - q1) of the box; whatever lies beyond is an outlier.
struct Box {
  double low = 0, q1 = 0, median = 0, q3 = 0, high = 0;  // low and high: ends of the whiskers
  std::vector<double> outliers;                          // ascending
};
// Requires at least one value.
[[nodiscard]] Box box_of(std::vector<double> values);

// A mean and how well it is known.
struct Estimate {
  double mean = 0;
  std::optional<double> standard_error;  // absent where the draws are too few to tell
  double df = 0;                         // degrees of freedom of the standard error
  int draws = 0;                         // independent draws behind the mean
};

// Mean of independent draws: standard error sd / sqrt(n), df = n - 1. Requires at least one value.
[[nodiscard]] Estimate estimate(std::span<const double> draws);

// Scores by cluster. Runs of one split share its training set, so they are not independent: the
// draw is the split, and its value is the mean of its runs.
using ScoresBySplit = std::map<int, std::vector<double>>;

// Mean of each split's runs, in the order of the splits.
[[nodiscard]] std::map<int, double> split_means(const ScoresBySplit& scores);

// The mean over all runs with the standard error clustered by split:
//   se^2 = G / (G - 1) * sum_g (n_g (m_g - mean) / n)^2,   df = G - 1,
// for G splits of n_g runs with mean m_g (the cluster-robust variance of a mean; Cameron and
// Miller, "A Practitioner's Guide to Cluster-Robust Inference", 2015). With as many runs in each
// split it is the standard error of the split means. Requires at least one run.
[[nodiscard]] Estimate clustered_estimate(const ScoresBySplit& scores);

}  // namespace cupel
