// What t-SNE makes small, and its gradient.
#pragma once

#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/parallel.h"
#include "cupel/learn/embedding/affinities.h"
#include "cupel/learn/embedding/repulsion.h"

namespace cupel {

// Two numbers of each point: where it is, or a gradient.
struct PlaneRows {
  std::vector<double> x, y;
};

// The divergence of Kullback and Leibler, over ordered pairs of different points, and its gradient
// (van der Maaten and Hinton 2008, equations 4 and 5; 2014, equation 8):
//   KL = sum of p_ij log(p_ij / q_ij),  q_ij = w_ij / Z,  w_ij = 1 / (1 + |y_i - y_j|^2),
//   dKL/dy_i = 4 (sum over j of p_ij w_ij (y_i - y_j) - 1/Z sum over j of w_ij^2 (y_i - y_j)).
// The sum over p takes the pairs that have one; Z and the second sum take all pairs.
// Not thread-safe; the same bits on any number of threads.
class TsneObjective {
 public:
  // `affinities` must outlive this.
  TsneObjective(const Affinities& affinities, Threads threads);

  // Every p_ij counts `exaggeration` times. Throws Interrupted or TimedOut.
  void gradient(const PlaneRows& at, double exaggeration, const RunLimits& limits,
                PlaneRows& gradient);

  // KL where `gradient` was taken last, of p as it is.
  [[nodiscard]] double divergence(const PlaneRows& at) const;

 private:
  const Affinities& affinities_;
  Threads threads_;
  AllPairsRepulsion all_pairs_;
  Repulsion repulsion_;
  double normaliser_ = 1;  // Z
};

}  // namespace cupel
