#include <cmath>
#include <limits>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/dense.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/row_norms.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

void ClipRowNorms(ConstDenseView in, DenseView out, float* norms, Index begin, Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(in.cols);
  for (Index i = begin; i < end; ++i) {
    const float* from = in.row(i);
    float* to = out.row(i);
    norms[i] = std::sqrt(Dot(from, from, cols));
    // Not max(): a norm that is NaN has to stay one.
    const auto divisor = hn::Set(d, norms[i] <= 1 ? 1.0f : norms[i]);
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      StoreUpTo(hn::Div(LoadUpTo(d, from + j, n), divisor), d, to + j, n);
    });
  }
}

void ClipRowNormsBackward(ConstDenseView out, const float* norms, ConstDenseView grad_out,
                          DenseView grad_in, bool nan_at_zero, bool accumulate, Index begin,
                          Index end) {
  const Wide d;
  const auto cols = static_cast<std::size_t>(out.cols);
  for (Index i = begin; i < end; ++i) {
    const float* g = grad_out.row(i);
    const float* y = out.row(i);
    float* to = grad_in.row(i);
    const bool clipped = !(norms[i] <= 1);
    // d (x / |x|) = (g - y <g, y>) / |x|.
    const auto along = hn::Set(d, clipped ? Dot(g, y, cols) : 0.0f);
    const auto divisor = hn::Set(d, clipped ? norms[i] : 1.0f);
    const bool undefined = nan_at_zero && norms[i] == 0;
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      auto x = LoadUpTo(d, g + j, n);
      if (clipped) x = hn::Div(hn::NegMulAdd(along, LoadUpTo(d, y + j, n), x), divisor);
      if (undefined) x = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
      if (accumulate) x = hn::Add(LoadUpTo(d, to + j, n), x);
      StoreUpTo(x, d, to + j, n);
    });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(ClipRowNorms);
HWY_EXPORT(ClipRowNormsBackward);

void clip_row_norms(Threads threads, ConstDenseView in, DenseView out, float* norms) {
  over_blocks(threads, in.rows, in.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(ClipRowNorms)(in, out, norms, begin, end);
  });
}

void clip_row_norms_backward(Threads threads, ConstDenseView, ConstDenseView out,
                             const float* norms, ConstDenseView grad_out, DenseView grad_in,
                             bool nan_at_zero, bool accumulate) {
  over_blocks(threads, out.rows, out.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(ClipRowNormsBackward)
    (out, norms, grad_out, grad_in, nan_at_zero, accumulate, begin, end);
  });
}

}  // namespace cupel::kernels
#endif
