#include "cupel/judge/stats/equivalence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace cupel {
namespace {

constexpr double kKnown = std::numeric_limits<double>::infinity();  // degrees of freedom

// The smallest n from 2 on at which so many draws are known to within `room` at `alpha`
// (two-sided); absent where none is.
std::optional<double> draws_for(const DesignError& error, double room, double alpha) {
  constexpr double kMost = 1e15;
  const auto enough = [&](double n, double df) {
    const double reach = room / student_critical(alpha, df);
    return error.per_draw / n + error.fixed <= reach * reach;
  };
  if (room <= 0 || !enough(kMost, kKnown)) return std::nullopt;
  // So many at least as would do if the spread were known, and not many more: quantiles take time.
  const double reach = room / student_critical(alpha, kKnown);
  const double known = std::floor(error.per_draw / (reach * reach - error.fixed));
  double less = known > 2 ? std::min(known, kMost) - 1 : 1;
  if (less > 1 && enough(less, less - 1)) less = 1;  // rounding
  double most = less + 1;
  for (double step = 1; most < kMost && !enough(most, most - 1); step *= 2)
    less = std::exchange(most, most + step);
  while (most - less > 1) {
    const double middle = std::floor((less + most) / 2);
    (enough(middle, middle - 1) ? most : less) = middle;
  }
  return most;
}

}  // namespace

Interval equivalence_interval(const Difference& difference, double alpha) {
  const double margin = difference.margin(2 * alpha);
  return {difference.value - margin, difference.value + margin};
}

double smallest_delta(const Difference& difference, double alpha) {
  return std::abs(difference.value) + difference.margin(2 * alpha);
}

double detectable_difference(double standard_error, double df, double alpha, double power) {
  assert(power > 0.5 && power < 1);
  if (standard_error == 0) return 0;
  return (student_critical(alpha, df) + student_critical(2 * (1 - power), df)) * standard_error;
}

std::optional<double> draws_to_decide(double difference, const DesignError& error, double delta,
                                      double alpha, double alpha_different) {
  const double size = std::abs(difference);
  const auto equivalent = draws_for(error, delta - size, 2 * alpha);
  const auto different = draws_for(error, size, alpha_different);
  if (!equivalent || !different) return equivalent ? equivalent : different;
  return std::min(*equivalent, *different);
}

}  // namespace cupel
