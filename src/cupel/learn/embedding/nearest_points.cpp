#include "cupel/learn/embedding/nearest_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "cupel/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/learn/embedding/nearest_points.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

#ifndef CUPEL_NEAREST_POINTS_SHAPE
#define CUPEL_NEAREST_POINTS_SHAPE
namespace cupel {
inline constexpr Index kPanelPoints = 16;  // points that lie side by side in a panel
inline constexpr Index kTilePoints = 4;    // points that go along it together
}  // namespace cupel
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// out[r][c] = sum over k of (tile[r][k] - panel[k][c])^2, in ascending order of k.
void TileDistances(const double* HWY_RESTRICT tile, const float* HWY_RESTRICT panel,
                   std::size_t depth, double* HWY_RESTRICT out) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  constexpr std::size_t kLanes = hn::MaxLanes(hn::CappedTag<double, 8>());
  constexpr std::size_t kTogether = 2;
  static_assert(kPanelPoints % (kLanes * kTogether) == 0);
  for (std::size_t from = 0; from < kPanelPoints; from += kLanes * kTogether) {
    hn::Vec<decltype(d)> sum[kTilePoints][kTogether];
#pragma GCC unroll 4
    for (auto& of_point : sum)
#pragma GCC unroll 2
      for (auto& s : of_point) s = hn::Zero(d);
    for (std::size_t k = 0; k < depth; ++k) {
      const float* theirs = panel + k * kPanelPoints + from;
      const auto left = hn::PromoteTo(d, hn::Load(narrow, theirs));
      const auto right = hn::PromoteTo(d, hn::Load(narrow, theirs + kLanes));
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kTilePoints; ++r) {
        const auto mine = hn::Set(d, tile[r * depth + k]);
        const auto by_left = hn::Sub(mine, left), by_right = hn::Sub(mine, right);
        sum[r][0] = hn::MulAdd(by_left, by_left, sum[r][0]);
        sum[r][1] = hn::MulAdd(by_right, by_right, sum[r][1]);
      }
    }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kTilePoints; ++r) {
      hn::StoreU(sum[r][0], d, out + r * kPanelPoints + from);
      hn::StoreU(sum[r][1], d, out + r * kPanelPoints + from + kLanes);
    }
  }
}

}  // namespace cupel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace cupel {

HWY_EXPORT(TileDistances);

namespace {

constexpr Index kPointsTogether = 32;  // a panel stays in the second cache for so many

// Keeps the nearest of the points that come, in ascending order of their numbers.
class Nearest {
 public:
  explicit Nearest(Index count) : count_(static_cast<std::size_t>(count)) {
    near_.reserve(2 * count_);
  }

  void add(double squared, Index id) {
    if (!(squared < bound_)) return;  // whoever is as near and came before has the smaller number
    near_.emplace_back(squared, id);
    if (near_.size() == 2 * count_) cut();
  }

  void write(Index* ids, double* squared) {
    cut();
    std::sort(near_.begin(), near_.end());
    for (std::size_t i = 0; i < count_; ++i) std::tie(squared[i], ids[i]) = near_[i];
    near_.clear();
    bound_ = std::numeric_limits<double>::infinity();
  }

 private:
  void cut() {
    if (near_.size() <= count_) return;
    const auto last = near_.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
    std::nth_element(near_.begin(), last, near_.end());
    bound_ = last->first;
    near_.resize(count_);
  }

  std::size_t count_;
  std::vector<std::pair<double, Index>> near_;
  double bound_ = std::numeric_limits<double>::infinity();
};

// Panel after panel, number k of its points side by side; zeros behind the last point.
AlignedVector<float> panels_of(const Matrix& points) {
  const auto depth = static_cast<std::size_t>(points.cols);
  const auto panels = static_cast<std::size_t>(points.rows + kPanelPoints - 1) / kPanelPoints;
  AlignedVector<float> out(panels * depth * kPanelPoints);
  for (Index i = 0; i < points.rows; ++i) {
    float* to = &out[static_cast<std::size_t>(i / kPanelPoints) * depth * kPanelPoints];
    for (std::size_t k = 0; k < depth; ++k)
      to[k * kPanelPoints + i % kPanelPoints] = points.row(i)[k];
  }
  return out;
}

void check_finite(const Matrix& points) {
  for (Index i = 0; i < points.rows; ++i)
    for (Index c = 0; c < points.cols; ++c)
      if (!std::isfinite(points(i, c)))
        fail("nearest points: number {} of point {} is {}; distances want finite numbers", c, i,
             points(i, c));
}

}  // namespace

NearestPoints nearest_points(const Matrix& points, Index count, Threads threads,
                             const RunLimits& limits) {
  if (count < 1 || count >= points.rows)
    throw std::logic_error("[nearest points] wants a count from 1 to one less than the points");
  check_finite(points);
  const Index n = points.rows;
  const auto depth = static_cast<std::size_t>(points.cols), width = static_cast<std::size_t>(count);
  if (depth == 0) throw std::logic_error("[nearest points] wants points of one column or more");
  const AlignedVector<float> panels = panels_of(points);
  NearestPoints out;
  out.points = n;
  out.count = count;
  out.ids.resize(static_cast<std::size_t>(n) * width);
  out.squared.resize(out.ids.size());
  parallel_blocks(threads, n, kPointsTogether, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> rows(static_cast<std::size_t>(kPointsTogether) * depth);
    for (std::int64_t i = begin; i < end; ++i)
      std::copy_n(points.row(static_cast<Index>(i)), depth, &rows[(i - begin) * depth]);
    std::vector<Nearest> nearest(static_cast<std::size_t>(end - begin), Nearest(count));
    double squared[kTilePoints * kPanelPoints];
    for (Index from = 0; from < n; from += kPanelPoints) {
      limits.check();
      const Index filled = std::min(kPanelPoints, n - from);
      const float* panel = &panels[static_cast<std::size_t>(from) * depth];
      for (std::int64_t tile = begin; tile < end; tile += kTilePoints) {
        HWY_DYNAMIC_DISPATCH(TileDistances)(&rows[(tile - begin) * depth], panel, depth, squared);
        for (std::int64_t i = tile; i < std::min<std::int64_t>(tile + kTilePoints, end); ++i)
          for (Index c = 0; c < filled; ++c)
            if (from + c != i)
              nearest[i - begin].add(squared[(i - tile) * kPanelPoints + c], from + c);
      }
    }
    for (std::int64_t i = begin; i < end; ++i)
      nearest[i - begin].write(&out.ids[i * width], &out.squared[i * width]);
  });
  return out;
}

}  // namespace cupel

#endif
