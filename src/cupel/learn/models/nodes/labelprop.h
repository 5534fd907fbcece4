// What the two forms of label propagation share: iterating class masses F over the graph, and
// choosing the iteration whose F is kept.
//
// After every iteration validation accuracy and loss (mean cross-entropy of softmax of F's rows)
// are taken; F is kept if the accuracy is at least the best so far or the loss at most the best so
// far. The last F kept gives the scores. Nodes without mass have equal scores, and so the lowest
// class.
#pragma once

#include <cmath>
#include <functional>
#include <limits>

#include "cupel/learn/layers/settings.h"
#include "cupel/learn/model.h"

namespace cupel {

// When to stop, from the settings that both forms declare.
struct PropagationStop {
  explicit PropagationStop(const Options& o)
      : iterations(static_cast<int>(o.integer("iterations"))),
        patience(static_cast<int>(o.integer("patience"))) {}
  int iterations, patience;
};

inline std::vector<OptionSpec> propagation_options() {
  return {
      {.name = "iterations",
       .fallback = std::int64_t{50},
       .doc = "How many iterations are made if patience is 0.",
       .min = 1,
       .max = 1e9},
      {.name = "patience",
       .fallback = std::int64_t{0},
       .doc = "If not 0: stop after so many iterations in which neither validation accuracy nor "
              "validation loss improved by 0.001, however long that takes.",
       .min = 0,
       .max = 1e9}};
}

inline Disagreement propagation_disagreement() {
  return {"iterations = 50, patience = 0",
          "The code released with Shchur et al. 2018 means to stop after 50 iterations without an "
          "improvement of 0.001, but updates the best values before it compares with them, so that "
          "none ever counts and exactly 50 iterations are made. The published table was made so "
          "and it is the default; patience = 50 is the rule as intended."};
}

// nodes x classes: 1 at the label of a training node, else 0.
inline Matrix one_hot_train(const TaskView& view) {
  Matrix f(view.nodes(), view.classes());
  for (std::size_t i = 0; i < view.train.size(); ++i) f(view.train[i], view.train_labels[i]) = 1;
  return f;
}

// Per node: the sum of its arcs' weights. Their absolute values, so that no iteration can grow.
inline std::vector<double> weighted_degrees(const Csr& adjacency) {
  std::vector<double> out(static_cast<std::size_t>(adjacency.rows));
  for (Index i = 0; i < adjacency.rows; ++i)
    for (Offset at = adjacency.row_ptr[i]; at < adjacency.row_ptr[i + 1]; ++at)
      out[static_cast<std::size_t>(i)] += std::abs(static_cast<double>(adjacency.value(at)));
  return out;
}

// out = sum over neighbours j of i of A_ij weight(i, j) f_j, for every node.
template <class Weight>
void propagate_mass(const Csr& adjacency, const Weight& weight, const Matrix& f, Matrix& out) {
  std::vector<double> sum(static_cast<std::size_t>(f.cols));
  for (Index i = 0; i < f.rows; ++i) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (Offset at = adjacency.row_ptr[i]; at < adjacency.row_ptr[i + 1]; ++at) {
      const Index j = adjacency.columns[at];
      const double w = adjacency.value(at) * weight(i, j);
      for (Index c = 0; c < f.cols; ++c) sum[static_cast<std::size_t>(c)] += w * f(j, c);
    }
    for (Index c = 0; c < f.cols; ++c) out(i, c) = static_cast<float>(sum[c]);
  }
}

// From `f`, calls step(f, next) until `stop` says so. Throws Interrupted between two steps.
DirectModel::Result propagate_labels(
    const TaskView& view, const RunLimits& limits, const PropagationStop& stop, Matrix f,
    const std::function<void(const Matrix& f, Matrix& next)>& step);

}  // namespace cupel
