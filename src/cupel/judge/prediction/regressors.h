// The regressors by which Li et al. 2024 predict effectiveness, with the settings that scikit-learn
// gives them by default. Pure functions, safe from any thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/base/random.h"

namespace cupel {

using RegressionRow = std::vector<double>;  // features of one sample

enum class Regressor {
  kRidge,   // alpha = 1, with an intercept that is not shrunk
  kSvr,     // epsilon-SVR, RBF kernel, C = 1, epsilon = 0.1, gamma = 1 / (features var(X)); LIBSVM
  kForest,  // 100 trees on bootstrap samples, squared error, all features at each node, grown until
            // targets are equal (random_forest.h)
};
inline constexpr std::array kRegressors = {Regressor::kRidge, Regressor::kSvr, Regressor::kForest};

// "ridge", "svr", "random-forest".
[[nodiscard]] const char* regressor_name(Regressor regressor);

// Fits on (x, y) and predicts for each of `test`. `key` is of the forest, the others are not
// random; the result is the same on any number of threads. At least one sample, rows of equal
// positive length and finite numbers are the caller's duty.
[[nodiscard]] std::vector<double> fit_predict(Regressor regressor, std::span<const RegressionRow> x,
                                              std::span<const double> y,
                                              std::span<const RegressionRow> test, StreamKey key,
                                              Threads threads);

}  // namespace cupel
