// Labels that correlate with chosen properties by chosen coefficients.
//
// Source: Li, Cao, Shuai, Miao, Hwang, "Rethinking the Effectiveness of Graph Classification
// Datasets in Benchmarks for Assessing GNNs", IJCAI 2024, theorem 1 and algorithm 1. With n_0 ...
// n_K independent, of mean 0 and variance 1,
//   Y = sum_k r_k n_k + sqrt(1 - sum_k r_k^2) n_0
// has correlation r_k with n_k, and with the property P_k = mean_k + sd_k n_k. The label is
// round(L minmax(Y)), halves to even.
//
// Where paper and code differ:
//   - L is C in algorithm 1, which gives C + 1 labels, and C - 1 in the code of the paper's data.
//   - The paper's sqrt((b - a) / 12) for a uniform property is a misprint of (b - a) / sqrt(12),
//   its
//     n_k ~ N(0, sd_k) of N(0, 1).
//   - The code's properties run between the extremes of an auxiliary sample of U(a, b), not between
//     a and b.
// Rounding attenuates: at C = 2 and r = 0.5, labels correlate with the property by 0.33. Classes
// are not balanced: sums are rare at their ends.
#pragma once

#include <string>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/base/options.h"
#include "cupel/base/random.h"

namespace cupel {

struct LabelModel {
  std::vector<double> r;  // one coefficient for each property
  bool gaussian = false;  // distribution of n_0 ... n_K: N(0, 1), else U(-sqrt(3), sqrt(3))
  Index classes = 2;      // C
  bool one_more = false;  // L = C as in algorithm 1, else C - 1

  Index labels() const { return one_more ? classes + 1 : classes; }
};

// The settings that make a model but for the coefficients: graphs, classes, distribution, labels
// and seed.
[[nodiscard]] std::vector<OptionSpec> label_model_settings();
// A model from them. `names` are those of the coefficients' settings. Throws Error naming `where`
// if the squares of the coefficients sum to more than 1.
[[nodiscard]] LabelModel label_model(const std::string& where, const Options& settings,
                                     const std::vector<std::string>& names);

struct LabelledDraws {
  std::vector<std::vector<double>> n;  // for each property, one per graph
  std::vector<Index> labels;           // one per graph, in [0, model.labels())
};
// Draws of step `step` of a stream. Needs two graphs or more.
[[nodiscard]] LabelledDraws draw_labelled(const LabelModel& model, Index graphs, StreamKey key,
                                          std::uint32_t step);

// Of one or more real numbers: round(steps * (y - min) / (max - min)), halves to even; 0 where all
// are equal.
[[nodiscard]] std::vector<Index> round_to_labels(const std::vector<double>& y, Index steps);

// The property with mean and variance of U(low, high) that n stands for.
[[nodiscard]] double property_of(double n, double low, double high);

}  // namespace cupel
