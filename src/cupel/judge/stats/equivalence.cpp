#include "cupel/judge/stats/equivalence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace cupel {
namespace {

constexpr double kKnown = std::numeric_limits<double>::infinity();  // degrees of freedom

// The n at which per_draw / n + fixed is `variance`; absent if it never is.
std::optional<double> draws_for(const DesignError& error, double variance) {
  if (error.fixed >= variance) return std::nullopt;
  return std::ceil(error.per_draw / (variance - error.fixed));
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
  std::optional<double> best;
  const auto offer = [&](double room, double critical) {
    if (room <= 0) return;
    const double reach = room / critical;
    if (const auto draws = draws_for(error, reach * reach))
      best = best ? std::min(*best, *draws) : *draws;
  };
  offer(delta - size, student_critical(2 * alpha, kKnown));
  offer(size, student_critical(alpha_different, kKnown));
  return best;
}

}  // namespace cupel
