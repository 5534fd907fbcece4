#include "cupel/engine/kernels/layer_norm.h"

#include <algorithm>
#include <cmath>

#include "cupel/engine/kernels/blocks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/layer_norm.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

using V = hn::Vec<Eight>;

// Sums along a row go to four vectors of eight, so that additions do not wait for each other.
HWY_INLINE void Clear(V* sum) {
  for (int k = 0; k < 4; ++k) sum[k] = hn::Zero(Eight());
}
HWY_INLINE float Total(const V* sum) {
  const V all = hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]));
  return hn::GetLane(hn::SumOfLanes(Eight(), all));
}

// Calls f(j, n, k), k the number of the vector modulo four.
template <class F>
HWY_INLINE void OverFours(std::size_t cols, const F& f) {
  const std::size_t lanes = hn::Lanes(Eight());
  std::size_t j = 0;
  for (; j + 4 * lanes <= cols; j += 4 * lanes) {
    f(j, lanes, 0);
    f(j + lanes, lanes, 1);
    f(j + 2 * lanes, lanes, 2);
    f(j + 3 * lanes, lanes, 3);
  }
  OverColumns(Eight(), cols - j, [&](std::size_t i, std::size_t n) CUPEL_INLINE_LAMBDA {
    f(j + i, n, static_cast<int>(i / lanes));
  });
}

// x behind the first n lanes becomes zero.
HWY_INLINE V Cut(V x, std::size_t n) {
  const Eight d;
  return n == hn::Lanes(d) ? x : hn::IfThenElseZero(hn::FirstN(d, n), x);
}

void LayerNorm(ConstDenseView in, const float* HWY_RESTRICT gain, const float* HWY_RESTRICT shift,
               DenseView out, RowMoments* moments, Index begin, Index end) {
  const Wide d;
  const Eight d8;
  const auto cols = static_cast<std::size_t>(in.cols);
  const float share = 1.0f / static_cast<float>(in.cols);
  for (Index i = begin; i < end; ++i) {
    const float* from = in.row(i);
    float* to = out.row(i);
    V sum[4], squares[4];
    Clear(sum);
    Clear(squares);
    OverFours(cols, [&](std::size_t j, std::size_t n, int k) CUPEL_INLINE_LAMBDA {
      sum[k] = hn::Add(sum[k], LoadUpTo(d8, from + j, n));
    });
    const float mean = Total(sum) * share;
    const V middle = hn::Set(d8, mean);
    OverFours(cols, [&](std::size_t j, std::size_t n, int k) CUPEL_INLINE_LAMBDA {
      const V x = Cut(hn::Sub(LoadUpTo(d8, from + j, n), middle), n);
      squares[k] = hn::MulAdd(x, x, squares[k]);
    });
    const float scale = 1.0f / std::sqrt(Total(squares) * share + 1e-5f);
    moments[i] = {mean, scale};
    const auto m = hn::Set(d, mean), s = hn::Set(d, scale);
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const auto x = hn::Mul(hn::Sub(LoadUpTo(d, from + j, n), m), s);
      StoreUpTo(hn::MulAdd(x, LoadUpTo(d, gain + j, n), LoadUpTo(d, shift + j, n)), d, to + j, n);
    });
  }
}

// Rows [begin, end) are one block of sums: `partial` (nullable) gets those of the gain's gradient,
// then those of the shift's.
void LayerNormBackward(ConstDenseView in, const float* HWY_RESTRICT gain, const RowMoments* moments,
                       ConstDenseView g, DenseView grad_in, bool accumulate,
                       float* HWY_RESTRICT partial, Index begin, Index end) {
  const Wide d;
  const Eight d8;
  const auto cols = static_cast<std::size_t>(in.cols);
  const float share = 1.0f / static_cast<float>(in.cols);
  float* HWY_RESTRICT to_gain = partial;
  float* HWY_RESTRICT to_shift = partial != nullptr ? partial + cols : nullptr;
  if (partial != nullptr) std::fill_n(partial, 2 * cols, 0.0f);
  for (Index i = begin; i < end; ++i) {
    const float* x_row = in.row(i);
    const float* g_row = g.row(i);
    const V mean = hn::Set(d8, moments[i].mean), scale = hn::Set(d8, moments[i].scale);
    V sum[4], along[4];  // of gain g, and of gain g times the normalised x
    Clear(sum);
    Clear(along);
    OverFours(cols, [&](std::size_t j, std::size_t n, int k) CUPEL_INLINE_LAMBDA {
      const V x = hn::Mul(hn::Sub(LoadUpTo(d8, x_row + j, n), mean), scale);
      const V y = LoadUpTo(d8, g_row + j, n);
      const V scaled = hn::Mul(y, LoadUpTo(d8, gain + j, n));
      sum[k] = hn::Add(sum[k], scaled);
      along[k] = hn::MulAdd(scaled, x, along[k]);
      if (partial != nullptr) {
        StoreUpTo(hn::MulAdd(y, x, LoadUpTo(d8, to_gain + j, n)), d8, to_gain + j, n);
        StoreUpTo(hn::Add(y, LoadUpTo(d8, to_shift + j, n)), d8, to_shift + j, n);
      }
    });
    if (grad_in.data == nullptr) continue;
    float* to = grad_in.row(i);
    const auto m = hn::Set(d, moments[i].mean), s = hn::Set(d, moments[i].scale);
    const auto mean_g = hn::Set(d, Total(sum) * share), mean_gx = hn::Set(d, Total(along) * share);
    OverColumns(d, cols, [&](std::size_t j, std::size_t n) CUPEL_INLINE_LAMBDA {
      const auto x = hn::Mul(hn::Sub(LoadUpTo(d, x_row + j, n), m), s);
      auto y = hn::Mul(LoadUpTo(d, g_row + j, n), LoadUpTo(d, gain + j, n));
      y = hn::NegMulAdd(x, mean_gx, hn::Sub(y, mean_g));
      y = hn::Mul(y, s);
      if (accumulate) y = hn::Add(LoadUpTo(d, to + j, n), y);
      StoreUpTo(y, d, to + j, n);
    });
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(LayerNorm);
HWY_EXPORT(LayerNormBackward);

void layer_norm(Threads threads, ConstDenseView in, const float* gain, const float* shift,
                DenseView out, RowMoments* moments) {
  over_blocks(threads, in.rows, in.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(LayerNorm)(in, gain, shift, out, moments, begin, end);
  });
}

void layer_norm_backward(Threads threads, const RowBlocks& blocks, ConstDenseView in,
                         const float* gain, const RowMoments* moments, ConstDenseView g,
                         DenseView grad_in, bool accumulate, float* partial, float* grad_gain,
                         float* grad_shift) {
  const bool sums = grad_gain != nullptr || grad_shift != nullptr;
  const Offset work = Offset{RowBlocks::kRows} * in.cols;
  over_blocks(threads, blocks.count(), work, 1, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      float* own = sums ? partial + static_cast<std::size_t>(b) * 2 * in.cols : nullptr;
      HWY_DYNAMIC_DISPATCH(LayerNormBackward)
      (in, gain, moments, g, grad_in, accumulate, own, blocks.starts[b], blocks.starts[b + 1]);
    }
  });
  const auto cols = static_cast<std::size_t>(in.cols);
  if (grad_gain != nullptr) sum_blocks(blocks.count(), partial, 2 * cols, cols, grad_gain);
  if (grad_shift != nullptr) sum_blocks(blocks.count(), partial + cols, 2 * cols, cols, grad_shift);
}

}  // namespace cupel::kernels
#endif
