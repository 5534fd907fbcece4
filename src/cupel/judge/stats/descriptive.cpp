#include "cupel/judge/stats/descriptive.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace cupel {
namespace {

double sum_of_squares(std::span<const double> values, double center) {
  double sum = 0;
  for (const double x : values) sum += (x - center) * (x - center);
  return sum;
}

}  // namespace

double mean_of(std::span<const double> values) {
  assert(!values.empty());
  double sum = 0;
  for (const double x : values) sum += x;
  const double mean = sum / static_cast<double>(values.size());
  // A second pass removes the rounding of the first, so that equal values have exactly their mean
  // (and no spread).
  double rest = 0;
  for (const double x : values) rest += x - mean;
  return mean + rest / static_cast<double>(values.size());
}

std::optional<double> sample_sd(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  return std::sqrt(sum_of_squares(values, mean_of(values)) /
                   static_cast<double>(values.size() - 1));
}

double quantile(std::span<const double> sorted, double p) {
  assert(!sorted.empty() && p >= 0 && p <= 1);
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

Box box_of(std::vector<double> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  Box box;
  box.q1 = quantile(values, 0.25);
  box.median = quantile(values, 0.5);
  box.q3 = quantile(values, 0.75);
  const double reach = 1.5 * (box.q3 - box.q1);
  box.low = box.q1;
  box.high = box.q3;
  for (const double x : values) {
    if (x < box.q1 - reach || x > box.q3 + reach) {
      box.outliers.push_back(x);
    } else {
      box.low = std::min(box.low, x);
      box.high = std::max(box.high, x);
    }
  }
  return box;
}

Estimate estimate(std::span<const double> draws) {
  Estimate result;
  result.mean = mean_of(draws);
  result.draws = static_cast<int>(draws.size());
  if (const auto sd = sample_sd(draws)) {
    result.standard_error = *sd / std::sqrt(static_cast<double>(draws.size()));
    result.df = static_cast<double>(draws.size() - 1);
  }
  return result;
}

std::map<int, double> split_means(const ScoresBySplit& scores) {
  std::map<int, double> means;
  for (const auto& [split, values] : scores) means[split] = mean_of(values);
  return means;
}

Estimate clustered_estimate(const ScoresBySplit& scores) {
  std::vector<double> all;
  for (const auto& [split, values] : scores) all.insert(all.end(), values.begin(), values.end());
  Estimate result;
  result.mean = mean_of(all);
  result.draws = static_cast<int>(scores.size());
  if (result.draws < 2) return result;
  double sum = 0;
  for (const auto& [split, values] : scores) {
    const double weight = static_cast<double>(values.size()) / static_cast<double>(all.size());
    const double part = weight * (mean_of(values) - result.mean);
    sum += part * part;
  }
  const double clusters = result.draws;
  result.standard_error = std::sqrt(sum * clusters / (clusters - 1));
  result.df = clusters - 1;
  return result;
}

}  // namespace cupel
