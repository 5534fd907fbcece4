// A random forest for regression (Breiman, "Random Forests", Machine Learning 2001), as
// scikit-learn's RandomForestRegressor has it by default: each tree is grown on a bootstrap sample,
// by the splits that leave the smallest sum of squared errors, until the targets of a node are
// equal or its samples cannot be told apart. The forest predicts the mean of its trees.
//
// Features are visited in a random order at each node, a threshold lies midway between two
// neighbouring values, and a sample that was drawn several times weighs more but counts once for
// `min_leaf`: all as there. Three things are not:
//   - numbers are compared as they are; there they are rounded to single precision, and values
//     within 1e-7 of each other are equal;
//   - of splits whose errors are equal but for rounding, the feature that was visited first has it,
//     with its lowest threshold; there rounding decides;
//   - random numbers are those of base/random.h.
//
// A node of n samples takes O(n log n) for each feature that it visits. A hundred trees of a
// thousand samples with 26 features take a second.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cupel/base/parallel.h"
#include "cupel/base/random.h"

namespace cupel {

struct ForestSettings {
  int trees = 100;
  bool bootstrap = true;  // n of n samples, drawn with replacement; false: all of them
  // Features that a node visits, drawn anew for each; 0: all. More than these are visited as long
  // as all of them are constant there.
  int features_per_node = 0;
  int min_leaf = 1;  // different samples in a leaf, at least
};

struct TreeNode {
  int feature = -1;      // that is split; -1: a leaf
  double threshold = 0;  // samples with at most this go to the node `left`, others to the next one
  std::size_t left = 0;
  double value = 0;  // mean target of its samples: of a leaf, what is predicted
  friend bool operator==(const TreeNode&, const TreeNode&) = default;
};
using RegressionTree = std::vector<TreeNode>;  // the root first

class RandomForest {
 public:
  // Learns from samples `x`, fewer than 2^32, with targets `y`. A function of all but `threads`,
  // the same on every machine. Throws Error where there are no samples or features, rows differ in
  // length, a number is not finite, or a setting has no meaning.
  RandomForest(std::span<const std::vector<double>> x, std::span<const double> y,
               const ForestSettings& settings, StreamKey key, Threads threads);

  // Of one sample. Safe from any thread. Throws Error for another number of features, or one that
  // is not finite.
  [[nodiscard]] double predict(std::span<const double> row) const;

  [[nodiscard]] const std::vector<RegressionTree>& trees() const { return trees_; }

 private:
  std::size_t features_;
  std::vector<RegressionTree> trees_;
};

}  // namespace cupel
