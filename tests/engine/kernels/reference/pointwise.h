// Slow oracles of pointwise.h.
#pragma once

#include <cmath>

#include "cupel/engine/kernels/pointwise.h"

namespace cupel::reference {

inline bool chain_keeps(const kernels::Chain& chain, Index cols, Index i, Index j) {
  if (!chain.drop) return true;
  const Offset blocks_per_row = (cols + 7) / 8;
  return chain.draws[8 * blocks_per_row * i + j] >= chain.rate.threshold;
}

inline void chain_forward(Threads, const kernels::Chain& chain, ConstDenseView in, DenseView out) {
  for (Index i = 0; i < in.rows; ++i) {
    for (Index j = 0; j < in.cols; ++j) {
      float x = in.row(i)[j];
      if (chain.bias != nullptr) x += chain.bias[j];
      switch (chain.activation) {
        case kernels::Activation::kNone:
          break;
        case kernels::Activation::kRelu:
          x = x <= 0 ? 0.0f : x;
          break;
        case kernels::Activation::kElu:
          x = x <= 0 ? static_cast<float>(std::expm1(x)) : x;
          break;
        case kernels::Activation::kLeakyRelu:
          x = x <= 0 ? 0.2f * x : x;
          break;
        case kernels::Activation::kTanh:
          x = std::tanh(x);
          break;
      }
      if (chain.drop) x = chain_keeps(chain, in.cols, i, j) ? x * chain.rate.keep_scale : 0.0f;
      out.row(i)[j] = x;
    }
  }
}

inline void chain_backward(Threads, const kernels::Chain& chain, ConstDenseView out,
                           ConstDenseView grad_out, DenseView grad_in, bool accumulate) {
  for (Index i = 0; i < out.rows; ++i) {
    for (Index j = 0; j < out.cols; ++j) {
      float g = grad_out.row(i)[j];
      float y = out.row(i)[j];
      if (chain.drop) {
        g = chain_keeps(chain, out.cols, i, j) ? g * chain.rate.keep_scale : 0.0f;
        y /= chain.rate.keep_scale;
      }
      switch (chain.activation) {
        case kernels::Activation::kNone:
          break;
        case kernels::Activation::kRelu:
          g = y <= 0 ? 0.0f : g;
          break;
        case kernels::Activation::kElu:
          g = y <= 0 ? g * (y + 1.0f) : g;
          break;
        case kernels::Activation::kLeakyRelu:
          g = y <= 0 ? 0.2f * g : g;
          break;
        case kernels::Activation::kTanh:
          g = g * (1.0f - y * y);
          break;
      }
      if (chain.drop && !chain_keeps(chain, out.cols, i, j)) g = 0;
      grad_in.row(i)[j] = accumulate ? grad_in.row(i)[j] + g : g;
    }
  }
}

inline void column_sums(ConstDenseView in, float* out) {
  for (Index j = 0; j < in.cols; ++j) {
    out[j] = 0;
    for (Index i = 0; i < in.rows; ++i) out[j] += in.row(i)[j];
  }
}

inline void add(Threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  for (Index i = 0; i < out.rows; ++i) {
    for (Index j = 0; j < out.cols; ++j) out.row(i)[j] = a.row(i)[j] + b.row(i)[j];
  }
}

}  // namespace cupel::reference
