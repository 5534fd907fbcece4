#include "cupel/learn/embedding/affinities.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace cupel {
namespace {

constexpr double kEntropyTolerance = 1e-9;  // scikit-learn's is 1e-5
constexpr int kMostSteps = 200;
constexpr Index kRowsTogether = 64;

// Weights exp(-beta t) of every t, and their entropy.
double weigh(std::span<const double> t, double beta, std::vector<double>& weights) {
  double sum = 0, along = 0;
  for (std::size_t j = 0; j < t.size(); ++j) {
    weights[j] = std::exp(-beta * t[j]);
    sum += weights[j];
    along += weights[j] * t[j];
  }
  for (double& w : weights) w /= sum;  // the nearest has weight 1
  return std::log(sum) + beta * along / sum;
}

}  // namespace

std::vector<double> conditional_affinities(std::span<const double> squared, double perplexity) {
  // Differences from the nearest, so that weights do not all vanish, by the one that is as far down
  // the list as neighbours are wanted, so that beta is near 1.
  std::vector<double> weights(squared.size()), t(squared.begin(), squared.end());
  const auto wanted = static_cast<std::size_t>(std::ceil(perplexity));
  const double scale = squared[wanted - 1] - squared.front();
  for (double& x : t) {
    const double beyond = x - squared.front();
    x = scale > 0 ? beyond / scale : beyond > 0 ? std::numeric_limits<double>::infinity() : 0;
  }
  if (scale <= 0) {
    const auto near = static_cast<double>(std::count(t.begin(), t.end(), 0.0));
    for (std::size_t j = 0; j < t.size(); ++j) weights[j] = t[j] == 0 ? 1 / near : 0;
    return weights;
  }
  double low = 0, high = std::numeric_limits<double>::infinity(), beta = 1;
  for (int step = 0; step < kMostSteps; ++step) {
    const double beyond = weigh(t, beta, weights) - std::log(perplexity);
    if (std::abs(beyond) <= kEntropyTolerance) break;
    (beyond > 0 ? low : high) = beta;
    beta = std::isinf(high) ? 2 * beta : (low + high) / 2;
  }
  return weights;
}

Affinities joint_affinities(const NearestPoints& nearest, double perplexity, Threads threads) {
  const Index n = nearest.points;
  const auto count = static_cast<std::size_t>(nearest.count);
  // Row i has its neighbours, by number, and behind them those that have i among theirs.
  std::vector<Index> ids = nearest.ids;
  std::vector<double> given(ids.size());
  parallel_blocks(threads, n, kRowsTogether, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::size_t> order(count);
    for (std::int64_t i = begin; i < end; ++i) {
      const auto row = nearest.ids_of(static_cast<Index>(i));
      const auto p = conditional_affinities(nearest.squared_of(static_cast<Index>(i)), perplexity);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::sort(order.begin(), order.end(), [&](auto a, auto b) { return row[a] < row[b]; });
      for (std::size_t k = 0; k < count; ++k) {
        ids[static_cast<std::size_t>(i) * count + k] = row[order[k]];
        given[static_cast<std::size_t>(i) * count + k] = p[order[k]];
      }
    }
  });
  std::vector<Offset> back_ptr(static_cast<std::size_t>(n) + 1);
  for (const Index j : ids) ++back_ptr[static_cast<std::size_t>(j) + 1];
  std::partial_sum(back_ptr.begin(), back_ptr.end(), back_ptr.begin());
  std::vector<Index> back_ids(ids.size());
  std::vector<double> back(ids.size());
  std::vector<Offset> next(back_ptr.begin(), back_ptr.end() - 1);
  for (Index i = 0; i < n; ++i)
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = static_cast<std::size_t>(i) * count + k;
      const Offset to = next[ids[at]]++;
      back_ids[to] = i;
      back[to] = given[at];
    }
  Affinities out;
  out.points = n;
  const double share = 1 / (2.0 * n);
  for (Index i = 0; i < n; ++i) {
    std::size_t a = static_cast<std::size_t>(i) * count, b = static_cast<std::size_t>(back_ptr[i]);
    const std::size_t a_end = a + count, b_end = static_cast<std::size_t>(back_ptr[i + 1]);
    while (a < a_end || b < b_end) {
      const Index column = std::min(a < a_end ? ids[a] : n, b < b_end ? back_ids[b] : n);
      double p = 0;
      if (a < a_end && ids[a] == column) p += given[a++];
      if (b < b_end && back_ids[b] == column) p += back[b++];
      out.columns.push_back(column);
      out.values.push_back(p * share);
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

}  // namespace cupel
