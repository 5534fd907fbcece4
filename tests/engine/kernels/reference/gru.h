// Slow oracles of gru.h, in double.
#pragma once

#include <cmath>

#include "cupel/engine/kernels/gru.h"

namespace cupel::reference {

// One number of one row: the gates, and what they are of.
struct GruUnit {
  double r, z, n, again, state;

  GruUnit(const kernels::GruInputs& x, Index i, Index j)
      : again(x.again.row(i)[j]), state(x.state.row(i)[j]) {
    const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
    const float* in = x.in.row(i) + j;
    r = sigmoid(in[0]);
    z = sigmoid(in[x.state.cols]);
    n = std::tanh(in[2 * x.state.cols] + r * again);
  }
};

inline void gru(const kernels::GruInputs& x, DenseView out) {
  for (Index i = 0; i < out.rows; ++i)
    for (Index j = 0; j < out.cols; ++j) {
      const GruUnit u(x, i, j);
      out.row(i)[j] = static_cast<float>((1 - u.z) * u.n + u.z * u.state);
    }
}

// All gradients are wanted.
inline void gru_backward(const kernels::GruInputs& x, ConstDenseView grad_out,
                         const kernels::GruGradients& grad) {
  for (Index i = 0; i < grad_out.rows; ++i)
    for (Index j = 0; j < grad_out.cols; ++j) {
      const GruUnit u(x, i, j);
      const double g = grad_out.row(i)[j];
      const double inner = g * (1 - u.z) * (1 - u.n * u.n);  // of the argument of tanh
      float* in = grad.in.row(i) + j;
      in[0] = static_cast<float>(inner * u.again * u.r * (1 - u.r));
      in[grad_out.cols] = static_cast<float>(g * (u.state - u.n) * u.z * (1 - u.z));
      in[2 * grad_out.cols] = static_cast<float>(inner);
      grad.again.row(i)[j] = static_cast<float>(inner * u.r);
      grad.state.row(i)[j] = static_cast<float>(g * u.z);
    }
}

}  // namespace cupel::reference
