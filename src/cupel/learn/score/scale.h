// What values of a metric may be, which are better, and how reports show them.
#pragma once

#include <cmath>

namespace cupel {

struct MetricScale {
  double least = 0, most = 1;  // bounds
  double unit = 100;           // reports multiply by it: 100 makes percent of fractions
  bool larger_is_better = true;

  bool is_better(double value, double other) const {
    return larger_is_better ? value > other : value < other;
  }
  // A mean of several values may end a rounding error beyond a bound.
  bool is_in_bounds(double value) const {
    constexpr double kRounding = 1e-9;
    return std::isfinite(value) && value >= least * (1 - kRounding) &&
           value <= most * (1 + kRounding);
  }
  bool in_percent() const { return unit == 100; }
  const char* difference_unit() const { return in_percent() ? "points" : "ranks"; }
};

inline constexpr MetricScale kFractions = {};
// More than there is of anything, and the square of a variance of such numbers is one still.
inline constexpr double kMostCounted = 1e15;
inline constexpr MetricScale kCounts = {0, kMostCounted, 1};
// Places from 1 on, of which the first is the best.
inline constexpr MetricScale kPlaces = {1, kMostCounted, 1, false};

}  // namespace cupel
