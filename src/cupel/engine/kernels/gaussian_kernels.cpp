#include <cmath>
#include <cstddef>

#include "cupel/engine/kernels/blocks.h"
#include "cupel/engine/kernels/edge.h"
#include "cupel/engine/kernels/scratch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/gaussian_kernels.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "cupel/engine/kernels/lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

// A vector holds rows: there are few kernels and few coordinates, and many rows.
// `weight` is -1/2 / (1e-14 + sigma^2), kernel by kernel.
void GaussianKernels(ConstDenseView v, ConstDenseView mu, const float* weight, DenseView out,
                     Index begin, Index end) {
  const Wide d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  const Index coordinates = v.cols;
  const hn::RebindToSigned<Wide> di;
  const auto apart = hn::Mul(hn::Iota(di, 0), hn::Set(di, v.stride));
  HWY_ALIGN float buffer[HWY_MAX_BYTES / sizeof(float)] = {};
  for (Index i = begin; i < end; i += lanes) {
    const Index rows = std::min(lanes, end - i);
    for (Index k = 0; k < mu.rows; ++k) {
      auto sum = hn::Zero(d);
      for (Index q = 0; q < coordinates; ++q) {
        auto x = hn::Zero(d);
        if (rows == lanes) {
          x = hn::GatherIndex(d, v.row(i) + q, apart);
        } else {
          for (Index r = 0; r < rows; ++r) buffer[r] = v.row(i + r)[q];
          x = hn::Load(d, buffer);
        }
        x = hn::Sub(x, hn::Set(d, mu.row(k)[q]));
        sum = hn::MulAdd(hn::Mul(x, x), hn::Set(d, weight[k * coordinates + q]), sum);
      }
      hn::Store(ExpOfNonPositive(d, sum, static_cast<hn::Vec<Wide>*>(nullptr)), d, buffer);
      for (Index r = 0; r < rows; ++r) out.row(i + r)[k] = buffer[r];
    }
  }
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(GaussianKernels);

void gaussian_kernels(Threads threads, ConstDenseView v, ConstDenseView mu, ConstDenseView sigma,
                      DenseView out) {
  float* weight = scratch(static_cast<std::size_t>(mu.rows) * static_cast<std::size_t>(mu.cols));
  for (Index k = 0; k < mu.rows; ++k) {
    for (Index q = 0; q < mu.cols; ++q) {
      const float s = sigma.row(k)[q];
      weight[k * mu.cols + q] = -0.5f / (1e-14f + s * s);
    }
  }
  over_blocks(threads, v.rows, Offset{8} * mu.rows * mu.cols, 1, [&](Index begin, Index end) {
    HWY_DYNAMIC_DISPATCH(GaussianKernels)(v, mu, weight, out, begin, end);
  });
}

void gaussian_kernels_backward(ConstDenseView v, ConstDenseView mu, ConstDenseView sigma,
                               ConstDenseView out, ConstDenseView g, DenseView grad_v,
                               DenseView grad_mu, DenseView grad_sigma) {
  for (Index k = 0; k < mu.rows; ++k) {
    for (Index q = 0; q < mu.cols; ++q) {
      const float s = sigma.row(k)[q], centre = mu.row(k)[q];
      const float inverse = 1.0f / (1e-14f + s * s);
      double sum_mu = 0, sum_sigma = 0;
      for (Index i = 0; i < v.rows; ++i) {
        const float weight = g.row(i)[k] * out.row(i)[k] * inverse;
        const float x = v.row(i)[q] - centre;
        sum_mu += double{weight} * x;
        sum_sigma += double{weight} * x * x;
        if (grad_v.data != nullptr) grad_v.row(i)[q] -= weight * x;
      }
      if (grad_mu.data != nullptr) grad_mu.row(k)[q] += static_cast<float>(sum_mu);
      if (grad_sigma.data != nullptr) {
        grad_sigma.row(k)[q] += static_cast<float>(sum_sigma * s * inverse);
      }
    }
  }
}

}  // namespace cupel::kernels
#endif
