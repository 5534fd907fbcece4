// How points in the plane push each other away in t-SNE, all pairs of them.
#pragma once

#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel {

// With q_ij = 1 / (1 + |y_i - y_j|^2), for each point
//   along x and y: sum over j of q_ij^2 (y_i - y_j);  near: sum over j != i of q_ij.
struct Repulsion {
  std::vector<double> x, y, near;
};

// Made once for a number of points and computed in every iteration. Terms are floats, of positions
// rounded to floats; the sums are doubles but for runs of 64 terms in each of 16 lanes, which are
// the same for vectors of any width. Relative error of a sum of terms of one sign: below 1e-5.
// Not thread-safe.
class AllPairsRepulsion {
 public:
  explicit AllPairsRepulsion(Index points);

  // x, y: positions, below 1e9 in size (beyond it, terms of pairs as far apart may become 0).
  // Throws Interrupted or TimedOut.
  void compute(const std::vector<double>& x, const std::vector<double>& y, Threads threads,
               const RunLimits& limits, Repulsion& out);

 private:
  Index points_;
  AlignedVector<float> x_, y_;  // zeros behind the last point, to whole steps of the kernel
};

}  // namespace cupel
