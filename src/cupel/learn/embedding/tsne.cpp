#include "cupel/learn/embedding/tsne.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/learn/embedding/tsne_objective.h"

namespace cupel {
namespace {

constexpr std::uint32_t kPurpose = 0x74736E65;  // "tsne"
constexpr int kExaggerated = 250, kBetweenChecks = 50, kWithoutProgress = 300;
constexpr double kSmallestNorm = 1e-7, kSmallestGain = 0.01, kFarthest = 1e15;

void check(const Matrix& points, const TsneSettings& settings) {
  const auto within = [](double value, double low, double high) {
    return value >= low && value <= high;  // false of NaN
  };
  constexpr double kMost = std::numeric_limits<float>::max();
  if (points.rows < 2 || points.cols < 1)
    fail(
        "t-SNE: {} points of {} columns are too few; it wants 2 points or more, of 1 column or "
        "more",
        points.rows, points.cols);
  if (!within(settings.perplexity, 1, points.rows - 1))
    fail("t-SNE: perplexity {} does not go with {} points; give one from 1 to {}",
         settings.perplexity, points.rows, points.rows - 1);
  if (!within(settings.early_exaggeration, 1, kMost))
    fail("t-SNE: early exaggeration {} is not a number from 1 on", settings.early_exaggeration);
  if (!(settings.learning_rate > 0) || settings.learning_rate > kMost)
    fail("t-SNE: learning rate {} is not a number above 0", settings.learning_rate);
  if (settings.iterations < 1)
    fail("t-SNE: {} iterations are none; give 1 or more", settings.iterations);
  for (Index i = 0; i < points.rows; ++i)
    for (Index c = 0; c < points.cols; ++c)
      if (!std::isfinite(points(i, c)))
        fail("t-SNE: number {} of point {} is {}; points must be finite numbers", c, i,
             points(i, c));
}

// One coordinate of every point on its way down, with a step and a gain of its own.
struct Axis {
  std::vector<double> step, gain;

  explicit Axis(std::size_t points) : step(points), gain(points, 1.0) {}

  // Gains grow where the gradient still points the way that was gone, and shrink where not.
  void move(const std::vector<double>& gradient, double momentum, double rate,
            std::vector<double>& at) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      const bool onward = step[i] * gradient[i] < 0;
      gain[i] = std::max(onward ? gain[i] + 0.2 : gain[i] * 0.8, kSmallestGain);
      step[i] = momentum * step[i] - rate * gain[i] * gradient[i];
      at[i] += step[i];
    }
  }
};

double norm(const PlaneRows& rows) {
  double squares = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i)
    squares += rows.x[i] * rows.x[i] + rows.y[i] * rows.y[i];
  return std::sqrt(squares);
}

void check_range(const PlaneRows& at, double learning_rate) {
  for (const auto* axis : {&at.x, &at.y})
    for (const double v : *axis)
      if (!(std::abs(v) < kFarthest))
        fail(
            "t-SNE: positions left the range of numbers; learning rate {} is too high for these "
            "points",
            learning_rate);
}

// A stage of the descent: steps and gains begin anew in each.
struct Stage {
  int from, to;
  double exaggeration, momentum;
  bool by_divergence;  // ends where that no longer falls
};

// Goes down from `at`; returns the number of iterations that are done.
int descend(TsneObjective& objective, const Stage& stage, const TsneSettings& settings,
            const RunLimits& limits, const TsneProgress& progress, PlaneRows& at) {
  Axis x(at.x.size()), y(at.y.size());
  PlaneRows gradient;
  double best = std::numeric_limits<double>::max();
  int best_at = stage.from;
  for (int i = stage.from; i < stage.to; ++i) {
    objective.gradient(at, stage.exaggeration, limits, gradient);
    const bool check = (i + 1) % kBetweenChecks == 0;
    const double divergence = check && stage.by_divergence ? objective.divergence(at) : 0;
    x.move(gradient.x, stage.momentum, settings.learning_rate, at.x);
    y.move(gradient.y, stage.momentum, settings.learning_rate, at.y);
    check_range(at, settings.learning_rate);
    if (progress) progress(i + 1, settings.iterations);
    if (!check) continue;
    if (stage.by_divergence && divergence < best) {
      best = divergence;
      best_at = i;
    } else if (stage.by_divergence && i - best_at > kWithoutProgress) {
      return i + 1;
    }
    if (norm(gradient) <= kSmallestNorm) return i + 1;
  }
  return stage.to;
}

}  // namespace

Matrix tsne(const Matrix& points, const TsneSettings& settings, StreamKey key, Threads threads,
            const RunLimits& limits, const TsneProgress& progress) {
  check(points, settings);
  const Index n = points.rows;
  const double neighbours = std::min<double>(n - 1, std::floor(3 * settings.perplexity + 1));
  const Affinities affinities =
      joint_affinities(nearest_points(points, static_cast<Index>(neighbours), threads, limits),
                       settings.perplexity, threads);
  PlaneRows at;
  for (Index i = 0; i < n; ++i) {
    Stream random(key, kPurpose, 0, static_cast<std::uint32_t>(i));
    at.x.push_back(1e-4 * random.next_normal());
    at.y.push_back(1e-4 * random.next_normal());
  }
  TsneObjective objective(affinities, threads);
  const Stage early = {0, std::min(kExaggerated, settings.iterations), settings.early_exaggeration,
                       0.5, false};
  const int done = descend(objective, early, settings, limits, progress, at);
  const Stage rest = {done, settings.iterations, 1, 0.8, true};
  descend(objective, rest, settings, limits, progress, at);
  Matrix out(n, 2);
  for (Index i = 0; i < n; ++i) {
    out(i, 0) = static_cast<float>(at.x[i]);
    out(i, 1) = static_cast<float>(at.y[i]);
  }
  return out;
}

}  // namespace cupel
