#include "cupel/learn/embedding/tsne_objective.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace cupel {
namespace {

constexpr Index kRowsTogether = 256;

}  // namespace

TsneObjective::TsneObjective(const Affinities& affinities, Threads threads)
    : affinities_(affinities), threads_(threads), all_pairs_(affinities.points) {}

void TsneObjective::gradient(const PlaneRows& at, double exaggeration, const RunLimits& limits,
                             PlaneRows& gradient) {
  all_pairs_.compute(at.x, at.y, threads_, limits, repulsion_);
  normaliser_ = std::accumulate(repulsion_.near.begin(), repulsion_.near.end(), 0.0);
  gradient.x.resize(at.x.size());
  gradient.y.resize(at.y.size());
  const Affinities& p = affinities_;
  parallel_blocks(threads_, p.points, kRowsTogether, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      double along_x = 0, along_y = 0;
      for (Offset e = p.row_ptr[i]; e < p.row_ptr[i + 1]; ++e) {
        const double x = at.x[i] - at.x[p.columns[e]], y = at.y[i] - at.y[p.columns[e]];
        const double pull = p.values[e] / (1 + x * x + y * y);
        along_x += pull * x;
        along_y += pull * y;
      }
      gradient.x[i] = 4 * (exaggeration * along_x - repulsion_.x[i] / normaliser_);
      gradient.y[i] = 4 * (exaggeration * along_y - repulsion_.y[i] / normaliser_);
    }
  });
}

double TsneObjective::divergence(const PlaneRows& at) const {
  const Affinities& p = affinities_;
  std::vector<double> rows(static_cast<std::size_t>(p.points));
  parallel_blocks(threads_, p.points, kRowsTogether, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (Offset e = p.row_ptr[i]; e < p.row_ptr[i + 1]; ++e) {
        if (p.values[e] == 0) continue;
        const double x = at.x[i] - at.x[p.columns[e]], y = at.y[i] - at.y[p.columns[e]];
        rows[i] += p.values[e] * std::log(p.values[e] * normaliser_ * (1 + x * x + y * y));
      }
  });
  return std::accumulate(rows.begin(), rows.end(), 0.0);
}

}  // namespace cupel
