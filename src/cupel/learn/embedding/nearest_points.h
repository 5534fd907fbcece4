// The nearest points of each point, by looking at all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel {

// `count` others of each point, nearest first, the smaller number first where two are as near. A
// point is no neighbour of itself; another in the same place is.
struct NearestPoints {
  Index points = 0, count = 0;
  std::vector<Index> ids;       // points x count
  std::vector<double> squared;  // their squared Euclidean distances

  std::span<const Index> ids_of(Index i) const { return {ids.data() + at(i), std::size_t(count)}; }
  std::span<const double> squared_of(Index i) const {
    return {squared.data() + at(i), std::size_t(count)};
  }

 private:
  std::size_t at(Index i) const { return static_cast<std::size_t>(i) * count; }
};

// points: one in each row. Distances are sums of squared differences in double, a chain in the
// order of the columns, so that they are the same bits both ways. Takes rows^2 x columns steps, and
// a copy of the points beside the result. Throws Error where a number is not finite,
// std::logic_error unless 1 <= count < rows, Interrupted or TimedOut.
[[nodiscard]] NearestPoints nearest_points(const Matrix& points, Index count, Threads threads,
                                           const RunLimits& limits = {});

}  // namespace cupel
