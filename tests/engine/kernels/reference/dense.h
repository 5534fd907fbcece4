// Slow oracles of dense.h. Products sum in ascending order with fused multiply-adds.
#pragma once

#include <cmath>
#include <limits>

#include "cupel/engine/kernels/dense.h"

namespace cupel::reference {

inline void matmul(Threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  for (Index i = 0; i < out.rows; ++i) {
    for (Index j = 0; j < out.cols; ++j) {
      float sum = 0;
      for (Index k = 0; k < a.cols; ++k) sum = std::fma(a.row(i)[k], b.row(k)[j], sum);
      out.row(i)[j] = sum;
    }
  }
}

inline void matmul_nt(Threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  for (Index i = 0; i < out.rows; ++i) {
    for (Index j = 0; j < out.cols; ++j) {
      float sum = 0;
      for (Index k = 0; k < a.cols; ++k) sum = std::fma(a.row(i)[k], b.row(j)[k], sum);
      out.row(i)[j] = sum;
    }
  }
}

inline void matmul_tn(Threads, ConstDenseView a, ConstDenseView b, DenseView out) {
  for (Index k = 0; k < out.rows; ++k) {
    for (Index j = 0; j < out.cols; ++j) {
      float sum = 0;
      for (Index i = 0; i < a.rows; ++i) sum = std::fma(a.row(i)[k], b.row(i)[j], sum);
      out.row(k)[j] = sum;
    }
  }
}

inline void clip_row_norms(Threads, ConstDenseView in, DenseView out, float* norms) {
  for (Index i = 0; i < in.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < in.cols; ++j) sum += double{in.row(i)[j]} * in.row(i)[j];
    norms[i] = static_cast<float>(std::sqrt(sum));
    const float divisor = norms[i] <= 1 ? 1.0f : norms[i];
    for (Index j = 0; j < in.cols; ++j) out.row(i)[j] = in.row(i)[j] / divisor;
  }
}

inline void clip_row_norms_backward(Threads, ConstDenseView in, ConstDenseView, const float* norms,
                                    ConstDenseView grad_out, DenseView grad_in, bool nan_at_zero,
                                    bool accumulate) {
  for (Index i = 0; i < in.rows; ++i) {
    const double norm = norms[i];
    double dot = 0;
    for (Index j = 0; j < in.cols; ++j) dot += double{grad_out.row(i)[j]} * in.row(i)[j];
    for (Index j = 0; j < in.cols; ++j) {
      double g = grad_out.row(i)[j];
      if (!(norm <= 1)) g = g / norm - in.row(i)[j] * dot / (norm * norm * norm);
      if (nan_at_zero && norm == 0) g = std::numeric_limits<double>::quiet_NaN();
      grad_in.row(i)[j] = static_cast<float>(accumulate ? grad_in.row(i)[j] + g : g);
    }
  }
}

}  // namespace cupel::reference
