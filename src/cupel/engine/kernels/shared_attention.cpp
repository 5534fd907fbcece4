#include "cupel/engine/kernels/shared_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/shared_attention.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// to += by * from.
HWY_INLINE void AddScaled(float by, const float* HWY_RESTRICT from, float* HWY_RESTRICT to,
                          std::size_t size) {
  const Wide d;
  const auto factor = hn::Set(d, by);
  OverColumns(d, size, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
    StoreUpTo(hn::MulAdd(factor, LoadUpTo(d, from + j, n), LoadUpTo(d, to + j, n)), d, to + j, n);
  });
}

HWY_INLINE float Kept(const KeptWeights& kept, Offset entry, Index head) {
  return kept.keep == nullptr || ((kept.keep[entry] >> head) & 1) != 0 ? kept.scale : 0.0f;
}

void AttendRows(const SparseView& a, ConstDenseView receiver, ConstDenseView x, Index heads,
                float factor, const KeptWeights& kept, DenseView out, float* weights, Index begin,
                Index end) {
  const auto d = static_cast<std::size_t>(x.cols);
  for (Index r = begin; r < end; ++r) {
    std::fill_n(out.row(r), out.cols, 0.0f);
    const Offset first = a.row_ptr[r], last = a.row_ptr[r + 1];
    for (Index h = 0; h < heads; ++h) {
      const float* own = receiver.row(r) + d * static_cast<std::size_t>(h);
      float* to = out.row(r) + d * static_cast<std::size_t>(h);
      float largest = -std::numeric_limits<float>::infinity(), sum = 0;
      for (Offset e = first; e < last; ++e) {
        const float score = factor * Dot(own, x.row(a.columns[e]), d);
        weights[e * heads + h] = score;
        largest = std::max(largest, score);
      }
      for (Offset e = first; e < last; ++e) {
        float& weight = weights[e * heads + h];
        weight = std::exp(weight - largest);
        sum += weight;
      }
      for (Offset e = first; e < last; ++e) {
        float& weight = weights[e * heads + h];
        weight /= sum;
        AddScaled(Kept(kept, e, h) * weight, x.row(a.columns[e]), to, d);
      }
    }
  }
}

void SlopeRows(const SparseView& a, ConstDenseView x, Index heads, float factor,
               const KeptWeights& kept, const float* weights, ConstDenseView g, float* slopes,
               DenseView grad, Index begin, Index end) {
  const auto d = static_cast<std::size_t>(x.cols);
  for (Index r = begin; r < end; ++r) {
    if (grad.data != nullptr) std::fill_n(grad.row(r), grad.cols, 0.0f);
    const Offset first = a.row_ptr[r], last = a.row_ptr[r + 1];
    for (Index h = 0; h < heads; ++h) {
      const std::size_t at = d * static_cast<std::size_t>(h);
      float mean = 0;
      for (Offset e = first; e < last; ++e) {
        const float slope = Kept(kept, e, h) * Dot(g.row(r) + at, x.row(a.columns[e]), d);
        slopes[e * heads + h] = slope;
        mean += weights[e * heads + h] * slope;
      }
      for (Offset e = first; e < last; ++e) {
        float& slope = slopes[e * heads + h];
        slope = factor * weights[e * heads + h] * (slope - mean);
        if (grad.data != nullptr) AddScaled(slope, x.row(a.columns[e]), grad.row(r) + at, d);
      }
    }
  }
}

void SlopeColumns(const SparseView& at, const Offset* entry, ConstDenseView receiver, Index heads,
                  const KeptWeights& kept, const float* weights, const float* slopes,
                  ConstDenseView g, DenseView grad, Index begin, Index end) {
  const auto d = static_cast<std::size_t>(grad.cols);
  for (Index c = begin; c < end; ++c) {
    float* to = grad.row(c);
    std::fill_n(to, grad.cols, 0.0f);
    for (Offset k = at.row_ptr[c]; k < at.row_ptr[c + 1]; ++k) {
      const Offset e = entry[k];
      const Index r = at.columns[k];
      for (Index h = 0; h < heads; ++h) {
        const std::size_t from = d * static_cast<std::size_t>(h);
        AddScaled(Kept(kept, e, h) * weights[e * heads + h], g.row(r) + from, to, d);
        AddScaled(slopes[e * heads + h], receiver.row(r) + from, to, d);
      }
    }
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(AttendRows);
HWY_EXPORT(SlopeRows);
HWY_EXPORT(SlopeColumns);

namespace {

// Floats that a row touches, about.
Offset work(const SparseView& a, Index cols) {
  return a.rows == 0 ? 1 : (2 * a.entries() / a.rows + 2) * cols;
}

}  // namespace

void shared_attention(Threads threads, const SparseView& a, ConstDenseView receiver,
                      ConstDenseView x, Index heads, float factor, const KeptWeights& kept,
                      DenseView out, float* weights) {
  over_blocks(threads, a.rows, work(a, out.cols), 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(AttendRows)
    (a, receiver, x, heads, factor, kept, out, weights, begin, end);
  });
}

void shared_attention_rows(Threads threads, const SparseView& a, ConstDenseView x, Index heads,
                           float factor, const KeptWeights& kept, const float* weights,
                           ConstDenseView grad_out, float* slopes, DenseView grad_receiver) {
  over_blocks(threads, a.rows, work(a, grad_out.cols), 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(SlopeRows)
    (a, x, heads, factor, kept, weights, grad_out, slopes, grad_receiver, begin, end);
  });
}

void shared_attention_columns(Threads threads, const SparseView& at, const Offset* entry,
                              ConstDenseView receiver, Index heads, const KeptWeights& kept,
                              const float* weights, const float* slopes, ConstDenseView grad_out,
                              DenseView grad_x) {
  over_blocks(threads, at.rows, work(at, grad_out.cols), 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(SlopeColumns)
    (at, entry, receiver, heads, kept, weights, slopes, grad_out, grad_x, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
