// Slow oracles of pointwise.h.
#pragma once

#include <cmath>

#include "cupel/base/random.h"
#include "cupel/engine/kernels/pointwise.h"

namespace cupel::reference {

// Draws anew, as the mask should have been.
inline bool chain_keeps(const kernels::Chain& chain, Index i, Index j) {
  if (!chain.drop) return true;
  const auto id = static_cast<std::uint32_t>(chain.ids != nullptr ? chain.ids[i] : i);
  const auto words = philox(chain.source.key, chain.source.purpose, chain.source.step, id,
                            static_cast<std::uint32_t>(j / 8));
  return (words[j % 8 / 2] >> (j % 2 * 16) & 0xFFFF) >= chain.rate.threshold;
}

inline double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// The value, and in *slope its derivative.
inline double activate(kernels::Activation activation, double x, double* slope) {
  switch (activation) {
    case kernels::Activation::kNone:
      *slope = 1;
      return x;
    case kernels::Activation::kRelu:
      *slope = x <= 0 ? 0 : 1;
      return x <= 0 ? 0 : x;
    case kernels::Activation::kElu:
      *slope = x <= 0 ? std::exp(x) : 1;
      return x <= 0 ? std::expm1(x) : x;
    case kernels::Activation::kLeakyRelu:
      *slope = x <= 0 ? 0.2 : 1;
      return x <= 0 ? 0.2 * x : x;
    case kernels::Activation::kTanh:
      *slope = 1 - std::tanh(x) * std::tanh(x);
      return std::tanh(x);
    case kernels::Activation::kGelu:
      *slope = normal_distribution(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
      return x * normal_distribution(x);
  }
  return 0;
}

inline float chain_element(const kernels::Chain& chain, float in, Index i, Index j, double* slope) {
  const bool keeps = chain_keeps(chain, i, j);
  const float scale = chain.drop ? chain.rate.keep_scale : 1.0f;
  float x = chain.bias != nullptr ? in + chain.bias[j] : in;
  if (chain.drop && chain.drop_first) x = keeps ? x * scale : 0.0f;
  double y = activate(chain.activation, x, slope);
  if (chain.drop && !chain.drop_first) y = keeps ? y * scale : 0.0;
  *slope = keeps ? *slope * scale : 0.0;
  return static_cast<float>(y + (chain.addend.data != nullptr ? chain.addend.row(i)[j] : 0.0f));
}

inline void chain_forward(Threads, const kernels::Chain& chain, ConstDenseView in, DenseView out) {
  double slope = 0;
  for (Index i = 0; i < in.rows; ++i)
    for (Index j = 0; j < in.cols; ++j)
      out.row(i)[j] = chain_element(chain, in.row(i)[j], i, j, &slope);
}

// From what the chain read, unlike the kernel.
inline void chain_backward(const kernels::Chain& chain, ConstDenseView in, ConstDenseView grad_out,
                           DenseView grad_in, float* bias_gradient) {
  double slope = 0;
  for (Index j = 0; j < in.cols; ++j) {
    double sum = 0;
    for (Index i = 0; i < in.rows; ++i) {
      chain_element(chain, in.row(i)[j], i, j, &slope);
      const double g = slope == 0 ? 0 : slope * grad_out.row(i)[j];
      sum += g;
      grad_in.row(i)[j] = static_cast<float>(g);
    }
    if (bias_gradient != nullptr) bias_gradient[j] = static_cast<float>(sum);
  }
}

inline void column_sums(Threads, ConstDenseView in, float* out) {
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
