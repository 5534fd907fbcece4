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

}  // namespace cupel::reference
