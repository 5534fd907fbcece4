#include "cupel/engine/kernels/distances.h"

#include <algorithm>
#include <cmath>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/distances.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

template <bool kSquares, class V>
HWY_INLINE V AddDifference(V x, V y, V sum) {
  const V difference = hn::Sub(x, y);
  return kSquares ? hn::MulAdd(difference, difference, sum) : hn::Add(hn::Abs(difference), sum);
}

// Four rows of b at once, so that additions need not wait for each other.
template <bool kSquares>
HWY_INLINE void DistancesOf(const float* HWY_RESTRICT a, ConstDenseView b, Index first, Index last,
                            float* HWY_RESTRICT out) {
  const Eight d;
  const auto cols = static_cast<std::size_t>(b.cols);
  const auto end = [](float sum) { return kSquares ? -std::sqrt(sum) : -sum; };
  Index j = first;
  for (; j + 4 <= last; j += 4) {
    const float *b0 = b.row(j), *b1 = b.row(j + 1), *b2 = b.row(j + 2), *b3 = b.row(j + 3);
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    OverColumns(d, cols, [&](std::size_t k, std::size_t n) CUPEL_INLINE_LAMBDA {
      const auto x = LoadUpTo(d, a + k, n);
      s0 = AddDifference<kSquares>(x, LoadUpTo(d, b0 + k, n), s0);
      s1 = AddDifference<kSquares>(x, LoadUpTo(d, b1 + k, n), s1);
      s2 = AddDifference<kSquares>(x, LoadUpTo(d, b2 + k, n), s2);
      s3 = AddDifference<kSquares>(x, LoadUpTo(d, b3 + k, n), s3);
    });
    out[j] = end(hn::GetLane(hn::SumOfLanes(d, s0)));
    out[j + 1] = end(hn::GetLane(hn::SumOfLanes(d, s1)));
    out[j + 2] = end(hn::GetLane(hn::SumOfLanes(d, s2)));
    out[j + 3] = end(hn::GetLane(hn::SumOfLanes(d, s3)));
  }
  for (; j < last; ++j) {
    const float* bj = b.row(j);
    auto sum = hn::Zero(d);
    OverColumns(d, cols, [&](std::size_t k, std::size_t n) CUPEL_INLINE_LAMBDA {
      sum = AddDifference<kSquares>(LoadUpTo(d, a + k, n), LoadUpTo(d, bj + k, n), sum);
    });
    out[j] = end(hn::GetLane(hn::SumOfLanes(d, sum)));
  }
}

// Rows [begin, end) of a; some rows of b at a time, which the cache keeps for all rows of a.
template <bool kSquares>
HWY_INLINE void Distances(ConstDenseView a, ConstDenseView b, DenseView out, Index begin,
                          Index end) {
  const Index together = std::max<Index>(4, (1 << 13) / std::max<Index>(1, b.cols) / 4 * 4);
  for (Index first = 0; first < b.rows; first += std::min(together, b.rows - first)) {
    const Index last = first + std::min(together, b.rows - first);
    for (Index i = begin; i < end; ++i) DistancesOf<kSquares>(a.row(i), b, first, last, out.row(i));
  }
}

void Distances1(ConstDenseView a, ConstDenseView b, DenseView out, Index begin, Index end) {
  Distances<false>(a, b, out, begin, end);
}
void Distances2(ConstDenseView a, ConstDenseView b, DenseView out, Index begin, Index end) {
  Distances<true>(a, b, out, begin, end);
}

void ScaleGradients(ConstDenseView out, DenseView grad, Index begin, Index end) {
  const Wide d;
  for (Index i = begin; i < end; ++i) {
    const float* from = out.row(i);
    float* g = grad.row(i);
    OverColumns(d, static_cast<std::size_t>(out.cols),
                [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
                  const auto y = LoadUpTo(d, from + j, n);
                  const auto scaled = hn::Div(LoadUpTo(d, g + j, n), hn::Neg(y));
                  StoreUpTo(hn::IfThenZeroElse(hn::Eq(y, hn::Zero(d)), scaled), d, g + j, n);
                });
  }
}

template <bool kSquares>
HWY_INLINE void DistancesBackward(ConstDenseView a, ConstDenseView b, ConstDenseView scaled,
                                  bool transposed, DenseView grad, Index begin, Index end) {
  const Wide d;
  const auto step = transposed ? static_cast<std::size_t>(scaled.stride) : 1;
  for (Index i = begin; i < end; ++i) {
    const float* x = a.row(i);
    float* out = grad.row(i);
    const float* t = transposed ? scaled.data + i : scaled.row(i);
    for (Index k = 0; k < grad.cols; ++k) out[k] = 0;
    for (Index j = 0; j < b.rows; ++j) {
      const float weight = t[static_cast<std::size_t>(j) * step];
      if (weight == 0) continue;
      const float* y = b.row(j);
      const auto w = hn::Set(d, weight);
      OverColumns(d, static_cast<std::size_t>(a.cols),
                  [&](std::size_t k, std::size_t n) CUPEL_INLINE_LAMBDA {
                    const auto difference = hn::Sub(LoadUpTo(d, x + k, n), LoadUpTo(d, y + k, n));
                    auto sum = LoadUpTo(d, out + k, n);
                    if (kSquares) {
                      sum = hn::NegMulAdd(w, difference, sum);
                    } else {
                      const auto none = hn::Eq(difference, hn::Zero(d));
                      const auto minus =
                          hn::IfThenElse(hn::Lt(difference, hn::Zero(d)), w, hn::Neg(w));
                      sum = hn::Add(sum, hn::IfThenZeroElse(none, minus));
                    }
                    StoreUpTo(sum, d, out + k, n);
                  });
    }
  }
}

void DistancesBackward1(ConstDenseView a, ConstDenseView b, ConstDenseView scaled, bool transposed,
                        DenseView grad, Index begin, Index end) {
  DistancesBackward<false>(a, b, scaled, transposed, grad, begin, end);
}
void DistancesBackward2(ConstDenseView a, ConstDenseView b, ConstDenseView scaled, bool transposed,
                        DenseView grad, Index begin, Index end) {
  DistancesBackward<true>(a, b, scaled, transposed, grad, begin, end);
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(Distances1);
HWY_EXPORT(Distances2);
HWY_EXPORT(ScaleGradients);
HWY_EXPORT(DistancesBackward1);
HWY_EXPORT(DistancesBackward2);

void negative_distances(Threads threads, Norm norm, ConstDenseView a, ConstDenseView b,
                        DenseView out) {
  over_blocks(threads, a.rows, Offset{b.rows} * b.cols, 1, [&](Index begin, Index end) {
    if (norm == Norm::kL1)
      HWY_DYNAMIC_DISPATCH(Distances1)(a, b, out, begin, end);
    else
      HWY_DYNAMIC_DISPATCH(Distances2)(a, b, out, begin, end);
  });
}

void scale_distance_gradients(Threads threads, Norm norm, ConstDenseView out, DenseView grad) {
  if (norm == Norm::kL1) return;
  over_blocks(threads, grad.rows, grad.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(ScaleGradients)(out, grad, begin, end);
  });
}

void negative_distances_backward(Threads threads, Norm norm, ConstDenseView a, ConstDenseView b,
                                 ConstDenseView scaled, bool transposed, DenseView grad_a) {
  over_blocks(threads, a.rows, Offset{b.rows} * b.cols, 1, [&](Index begin, Index end) {
    if (norm == Norm::kL1)
      HWY_DYNAMIC_DISPATCH(DistancesBackward1)(a, b, scaled, transposed, grad_a, begin, end);
    else
      HWY_DYNAMIC_DISPATCH(DistancesBackward2)(a, b, scaled, transposed, grad_a, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
