#include "cupel/data/wiki/repeated_sum.h"

#include <cmath>

namespace cupel {

// Between two powers of two the doubles are equally far apart, so that rounding makes every
// addition the same step. Where the term lies half-way between two steps, ties go to even: the
// first of them ends on an even place, and from there on the steps are the same too. So the step
// that is measured is the second one behind the power of two.
double add_repeatedly(double sum, double term, std::uint64_t times) {
  while (times > 0) {
    const double first = sum + term;
    if (--times == 0) return first;
    const double second = first + term;
    --times;
    const int power = std::ilogb(second);
    const double limit = std::ldexp(1.0, power + 1), step = second - first;
    const bool within = sum > 0 && std::ilogb(sum) == power;
    sum = second;
    if (!within || times == 0) continue;
    if (step == 0) return sum;
    // One step less than fits: the division rounds.
    const double fit = std::floor((limit - sum) / step) - 2;
    if (fit < 1) continue;
    const std::uint64_t steps =
        fit < static_cast<double>(times) ? static_cast<std::uint64_t>(fit) : times;
    sum += static_cast<double>(steps) * step;
    times -= steps;
  }
  return sum;
}

}  // namespace cupel
