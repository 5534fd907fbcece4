#include "cupel/engine/kernels/rows.h"

#include <cmath>
#include <limits>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/rows.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

void SoftmaxRows(ConstDenseView in, DenseView out, Index begin, Index end) {
  const Eight d;
  const auto cols = static_cast<std::size_t>(in.cols);
  for (Index i = begin; i < end; ++i) {
    const float* from = in.row(i);
    float* to = out.row(i);
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t j = 0; j < cols; ++j) most = from[j] > most ? from[j] : most;
    const auto top = hn::Set(d, most);
    auto sum = hn::Zero(d);
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const auto x = hn::Sub(LoadUpTo(d, from + j, n), top);
      auto e = ExpOfNonPositive(d, x, static_cast<hn::Vec<Eight>*>(nullptr));
      if (n < hn::Lanes(d)) e = hn::IfThenElseZero(hn::FirstN(d, n), e);
      sum = hn::Add(sum, e);
      StoreUpTo(e, d, to + j, n);
    });
    const auto total = hn::Set(d, hn::GetLane(hn::SumOfLanes(d, sum)));
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      StoreUpTo(hn::Div(LoadUpTo(d, to + j, n), total), d, to + j, n);
    });
  }
}

void SoftmaxRowsBackward(ConstDenseView out, ConstDenseView g, DenseView grad_in, Index begin,
                         Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(out.cols);
  for (Index i = begin; i < end; ++i) {
    const auto along = hn::Set(d, Dot(out.row(i), g.row(i), cols));
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const auto rest = hn::Sub(LoadUpTo(d, g.row(i) + j, n), along);
      StoreUpTo(hn::Mul(LoadUpTo(d, out.row(i) + j, n), rest), d, grad_in.row(i) + j, n);
    });
  }
}

void NormaliseRows(float epsilon, ConstDenseView in, DenseView out, float* norms, Index begin,
                   Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(in.cols);
  for (Index i = begin; i < end; ++i) {
    norms[i] = std::sqrt(Dot(in.row(i), in.row(i), cols));
    // Not max(): a norm that is NaN has to stay one.
    const auto divisor = hn::Set(d, norms[i] <= epsilon ? epsilon : norms[i]);
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      StoreUpTo(hn::Div(LoadUpTo(d, in.row(i) + j, n), divisor), d, out.row(i) + j, n);
    });
  }
}

void NormaliseRowsBackward(float epsilon, ConstDenseView out, const float* norms, ConstDenseView g,
                           DenseView grad_in, bool nan_at_zero, Index begin, Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(out.cols);
  for (Index i = begin; i < end; ++i) {
    // d (x / |x|) = (g - y <g, y>) / |x|; where the norm is too small, x / epsilon is linear.
    const bool curved = !(norms[i] <= epsilon);
    const auto along = hn::Set(d, curved ? Dot(g.row(i), out.row(i), cols) : 0.0f);
    const bool undefined = nan_at_zero && norms[i] == 0;
    const auto divisor = hn::Set(d, undefined ? std::numeric_limits<float>::quiet_NaN()
                                    : curved  ? norms[i]
                                              : epsilon);
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      auto x = LoadUpTo(d, g.row(i) + j, n);
      x = hn::NegMulAdd(along, LoadUpTo(d, out.row(i) + j, n), x);
      StoreUpTo(hn::Div(x, divisor), d, grad_in.row(i) + j, n);
    });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(SoftmaxRows);
HWY_EXPORT(SoftmaxRowsBackward);
HWY_EXPORT(NormaliseRows);
HWY_EXPORT(NormaliseRowsBackward);

void softmax_rows(Threads threads, ConstDenseView in, DenseView out) {
  over_blocks(threads, in.rows, in.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(SoftmaxRows)(in, out, begin, end);
  });
}

void softmax_rows_backward(Threads threads, ConstDenseView out, ConstDenseView g,
                           DenseView grad_in) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(SoftmaxRowsBackward)(out, g, grad_in, begin, end);
  });
}

void normalise_rows(Threads threads, float epsilon, ConstDenseView in, DenseView out,
                    float* norms) {
  over_blocks(threads, in.rows, in.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(NormaliseRows)(epsilon, in, out, norms, begin, end);
  });
}

void normalise_rows_backward(Threads threads, float epsilon, ConstDenseView out, const float* norms,
                             ConstDenseView g, DenseView grad_in, bool nan_at_zero) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(NormaliseRowsBackward)
    (epsilon, out, norms, g, grad_in, nan_at_zero, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
