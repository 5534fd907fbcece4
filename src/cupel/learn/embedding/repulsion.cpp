#include "cupel/learn/embedding/repulsion.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/learn/embedding/repulsion.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

#ifndef CUPEL_REPULSION_SHAPE
#define CUPEL_REPULSION_SHAPE
namespace cupel {
inline constexpr Index kSums = 16;           // partial sums of a row
inline constexpr Index kStep = 2 * kSums;    // two others at once, which share a division
inline constexpr Index kChunk = 32 * kStep;  // stays in the first cache; floats are summed so far
inline constexpr Index kRowsTogether = 32;   // that go along a chunk
struct PlanePoints {
  const float* x;
  const float* y;  // readable up to a multiple of kStep
  Index count;
};
struct RowSums {
  double x[kSums], y[kSums], near[kSums];
};
}  // namespace cupel
#endif

HWY_BEFORE_NAMESPACE();
namespace cupel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kSums>;
constexpr std::size_t kLanes = hn::MaxLanes(Floats());
constexpr std::size_t kVectors = kSums / kLanes;

struct LaneSums {
  hn::Vec<Floats> x[kVectors], y[kVectors], near[kVectors];
};

// to[l] += sums, lane by lane.
HWY_INLINE void AddTo(const hn::Vec<Floats>* sums, double* HWY_RESTRICT to) {
  HWY_ALIGN float lanes[kSums];
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sums[v], Floats(), lanes + v * kLanes);
  for (std::size_t l = 0; l < kSums; ++l) to[l] += static_cast<double>(lanes[l]);
}

// Adds what the points of the steps that begin from `begin` to `end` do to point i. kAll: none of
// them is i, and all are there.
template <bool kAll>
HWY_INLINE void AddSteps(const PlanePoints& points, Index i, Index begin, Index end,
                         LaneSums& sums) {
  const Floats d;
  const hn::RebindToSigned<Floats> numbers;
  using V = hn::Vec<Floats>;
  const V one = hn::Set(d, 1.0f), x = hn::Set(d, points.x[i]), y = hn::Set(d, points.y[i]);
  for (Index j = begin; j < end; j += kStep) {
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) {
      const Index a = j + static_cast<Index>(v * kLanes), b = a + kSums;
      const V xa = hn::Sub(x, hn::Load(d, points.x + a)),
              xb = hn::Sub(x, hn::Load(d, points.x + b));
      const V ya = hn::Sub(y, hn::Load(d, points.y + a)),
              yb = hn::Sub(y, hn::Load(d, points.y + b));
      const V far_a = hn::MulAdd(ya, ya, hn::MulAdd(xa, xa, one));
      const V far_b = hn::MulAdd(yb, yb, hn::MulAdd(xb, xb, one));
      const V both = hn::Div(one, hn::Mul(far_a, far_b));
      V qa = hn::Mul(both, far_b), qb = hn::Mul(both, far_a);
      if constexpr (!kAll) {
        const auto count = hn::Set(numbers, points.count), self = hn::Set(numbers, i);
        const auto na = hn::Iota(numbers, a), nb = hn::Iota(numbers, b);
        const auto keep_a = hn::AndNot(hn::Eq(na, self), hn::Lt(na, count));
        const auto keep_b = hn::AndNot(hn::Eq(nb, self), hn::Lt(nb, count));
        qa = hn::IfThenElseZero(hn::RebindMask(d, keep_a), qa);
        qb = hn::IfThenElseZero(hn::RebindMask(d, keep_b), qb);
      }
      sums.near[v] = hn::Add(sums.near[v], hn::Add(qa, qb));
      const V pa = hn::Mul(qa, qa), pb = hn::Mul(qb, qb);
      sums.x[v] = hn::MulAdd(pb, xb, hn::MulAdd(pa, xa, sums.x[v]));
      sums.y[v] = hn::MulAdd(pb, yb, hn::MulAdd(pa, ya, sums.y[v]));
    }
  }
}

// Adds to the sums of the rows from `begin` to `end` what all points do to them.
void AddAll(const PlanePoints& points, Index begin, Index end, RowSums* HWY_RESTRICT out) {
  for (Index from = 0; from < points.count; from += kChunk) {
    const bool last = points.count - from <= kChunk;
    const Index to = last ? points.count : from + kChunk, whole = to - to % kStep;
    for (Index i = begin; i < end; ++i) {
      LaneSums sums;
      for (std::size_t v = 0; v < kVectors; ++v)
        sums.x[v] = sums.y[v] = sums.near[v] = hn::Zero(Floats());
      const Index own = i - i % kStep;  // begins the step that i is in
      const bool within = own >= from && own < whole;
      AddSteps<true>(points, i, from, within ? own : whole, sums);
      if (within) {
        AddSteps<false>(points, i, own, own + kStep, sums);
        AddSteps<true>(points, i, own + kStep, whole, sums);
      }
      if (whole < to) AddSteps<false>(points, i, whole, to, sums);
      AddTo(sums.x, out[i - begin].x);
      AddTo(sums.y, out[i - begin].y);
      AddTo(sums.near, out[i - begin].near);
    }
  }
}

}  // namespace cupel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace cupel {

HWY_EXPORT(AddAll);

AllPairsRepulsion::AllPairsRepulsion(Index points)
    : points_(points),
      x_((static_cast<std::size_t>(points) + kStep - 1) / kStep * kStep),
      y_(x_.size()) {}

void AllPairsRepulsion::compute(const std::vector<double>& x, const std::vector<double>& y,
                                Threads threads, const RunLimits& limits, Repulsion& out) {
  std::transform(x.begin(), x.end(), x_.begin(), [](double v) { return static_cast<float>(v); });
  std::transform(y.begin(), y.end(), y_.begin(), [](double v) { return static_cast<float>(v); });
  const auto n = static_cast<std::size_t>(points_);
  for (std::vector<double>* sums : {&out.x, &out.y, &out.near}) sums->resize(n);
  const PlanePoints points = {x_.data(), y_.data(), points_};
  parallel_blocks(threads, points_, kRowsTogether, [&](std::int64_t begin, std::int64_t end) {
    limits.check();
    RowSums sums[kRowsTogether] = {};
    HWY_DYNAMIC_DISPATCH(AddAll)
    (points, static_cast<Index>(begin), static_cast<Index>(end), sums);
    for (std::int64_t i = begin; i < end; ++i) {
      const RowSums& row = sums[i - begin];
      double along_x = 0, along_y = 0, near = 0;
      for (Index l = 0; l < kSums; ++l) {
        along_x += row.x[l];
        along_y += row.y[l];
        near += row.near[l];
      }
      out.x[i] = along_x;
      out.y[i] = along_y;
      out.near[i] = near;
    }
  });
}

}  // namespace cupel

#endif
