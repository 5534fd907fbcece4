#include "cupel/learn/events/recurrency_terms.h"

#include <algorithm>

#include "cupel/learn/events/time_between.h"

namespace cupel {
namespace {

// What psi is divided by, times 2^(lambda (t - last)).
double divisor(std::int64_t first, std::int64_t last, std::int64_t time, double lambda,
               std::int64_t unit) {
  const auto step = static_cast<std::uint64_t>(unit);
  const std::uint64_t span = time_between(first, last);
  const std::uint64_t terms = span / step + (span % step != 0 ? 1 : 0);
  const auto units = [&](std::uint64_t d) {
    return static_cast<double>(d) / static_cast<double>(unit);
  };
  if (terms == 0) return std::exp2(lambda * units(time_between(last, time)));
  const double newest = std::exp2(-lambda * units(span - (terms - 1) * step));
  if (lambda == 0) return static_cast<double>(terms);
  // A geometric series; lambda may be so small that 1 - 2^-lambda has few digits.
  const double rate = -lambda * std::numbers::ln2;
  return newest * std::expm1(rate * static_cast<double>(terms)) / std::expm1(rate);
}

}  // namespace

RecurrencyWeights recurrency_weights(const RecurrencyHistory& history, RecurrencyChoice choice,
                                     std::int64_t time, std::int64_t unit) {
  const double by = divisor(history.first(), history.last(), time, choice.lambda, unit);
  return {.sum = choice.alpha / by,
          .count = (1 - choice.alpha) / static_cast<double>(history.objects().total())};
}

RecurrencyWeights::Others RecurrencyWeights::others(double x, const ObjectCounts& objects) const {
  const auto most = static_cast<double>(objects.total());
  auto c = static_cast<Offset>(std::clamp(std::floor(x / count), 0.0, most)) + 1;
  // The division may be off by one; what counts is what the product is.
  const auto above = [&](Offset n) { return count * static_cast<double>(n) > x; };
  while (c > 1 && above(c - 1)) --c;
  while (!above(c) && static_cast<double>(c) <= most) ++c;
  return {.count_above = c, .ties = c > 1 && count * static_cast<double>(c - 1) == x};
}

}  // namespace cupel
