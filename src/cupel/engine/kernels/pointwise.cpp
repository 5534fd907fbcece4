

#include <cmath>

#include "cupel/engine/kernels/pointwise.h"

namespace cupel::kernels {

static bool chain_keeps(const Chain& chain, Index i, Index j) {
  if (!chain.drop) return true;
  const Offset first = 8 * chain.plan->first_slot[static_cast<std::size_t>(i)];
  return chain.draws[first + j] >= chain.rate.threshold;
}

void chain_forward(Threads, const Chain& chain, ConstDenseView in, DenseView out) {
  for (Index i = 0; i < in.rows; ++i) {
    for (Index j = 0; j < in.cols; ++j) {
      float x = in.row(i)[j];
      if (chain.bias != nullptr) x += chain.bias[j];
      switch (chain.activation) {
        case Activation::kNone:
          break;
        case Activation::kRelu:
          x = x <= 0 ? 0.0f : x;
          break;
        case Activation::kElu:
          x = x <= 0 ? static_cast<float>(std::expm1(x)) : x;
          break;
        case Activation::kLeakyRelu:
          x = x <= 0 ? 0.2f * x : x;
          break;
        case Activation::kTanh:
          x = std::tanh(x);
          break;
      }
      if (chain.drop) x = chain_keeps(chain, i, j) ? x * chain.rate.keep_scale : 0.0f;
      out.row(i)[j] = x;
    }
  }
}

void chain_backward(Threads, const Chain& chain, ConstDenseView out, ConstDenseView grad_out,
                    DenseView grad_in, bool accumulate) {
  for (Index i = 0; i < out.rows; ++i) {
    for (Index j = 0; j < out.cols; ++j) {
      float g = grad_out.row(i)[j];
      float y = out.row(i)[j];
      if (chain.drop) {
        g = chain_keeps(chain, i, j) ? g * chain.rate.keep_scale : 0.0f;
        y /= chain.rate.keep_scale;
      }
      switch (chain.activation) {
        case Activation::kNone:
          break;
        case Activation::kRelu:
          g = y <= 0 ? 0.0f : g;
          break;
        case Activation::kElu:
          g = y <= 0 ? g * (y + 1.0f) : g;
          break;
        case Activation::kLeakyRelu:
          g = y <= 0 ? 0.2f * g : g;
          break;
        case Activation::kTanh:
          g = g * (1.0f - y * y);
          break;
      }
      if (chain.drop && !chain_keeps(chain, i, j)) g = 0;
      grad_in.row(i)[j] = accumulate ? grad_in.row(i)[j] + g : g;
    }
  }
}

void column_sums(ConstDenseView in, float* out) {
  for (Index j = 0; j < in.cols; ++j) {
    out[j] = 0;
    for (Index i = 0; i < in.rows; ++i) out[j] += in.row(i)[j];
  }
}

void add(Threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  for (Index i = 0; i < out.rows; ++i) {
    for (Index j = 0; j < out.cols; ++j) out.row(i)[j] = a.row(i)[j] + b.row(i)[j];
  }
}

}  // namespace cupel::kernels
