// Slow oracles of sparse.h: one plain loop per kernel, sharing no code with the kernels.
#pragma once

#include <cmath>

#include "cupel/engine/kernels/sparse.h"

namespace cupel::reference {

inline void spmm(Threads, const SparseView& a, const Index* rows, ConstDenseView b, DenseView out) {
  for (Index i = 0; i < out.rows; ++i) {
    const Index r = rows != nullptr ? rows[i] : i;
    for (Index j = 0; j < out.cols; ++j) {
      float sum = 0;
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
        const float x = b.row(a.columns[e])[j];
        sum = a.values != nullptr ? std::fma(a.values[e], x, sum) : sum + x;
      }
      if (a.values == nullptr) sum *= a.uniform;
      out.row(i)[j] = sum;
    }
  }
}

inline void spmm_transposed(Threads, const SparseView& a, const Index* rows, ConstDenseView g,
                            DenseView out) {
  for (Index k = 0; k < out.rows; ++k) {
    for (Index j = 0; j < out.cols; ++j) out.row(k)[j] = 0;
  }
  for (Index i = 0; i < g.rows; ++i) {
    const Index r = rows != nullptr ? rows[i] : i;
    for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
      float* to = out.row(a.columns[e]);
      for (Index j = 0; j < g.cols; ++j) {
        to[j] = std::fma(a.value(e), g.row(i)[j], to[j]);
      }
    }
  }
}

inline void row_max(Threads, const SparseView& a, Index extra, Offset full_size, ConstDenseView b,
                    DenseView out, Index* arg) {
  for (Index r = 0; r < out.rows; ++r) {
    const Offset size = a.row_ptr[r + 1] - a.row_ptr[r];
    for (Index j = 0; j < out.cols; ++j) {
      float best = 0;
      Index where = -1;
      const auto offer = [&](Index c) {
        const float x = b.row(c)[j];
        if (where < 0 || x > best || (std::isnan(x) && !std::isnan(best))) {
          best = x;
          where = c;
        }
      };
      if (extra >= 0 && size < full_size) offer(extra);
      for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) offer(a.columns[e]);
      out.row(r)[j] = best;
      arg[static_cast<std::size_t>(r) * out.cols + j] = where;
    }
  }
}

inline void row_max_backward(const Index* arg, ConstDenseView g, DenseView grad) {
  for (Index r = 0; r < g.rows; ++r) {
    for (Index j = 0; j < g.cols; ++j) {
      const Index c = arg[static_cast<std::size_t>(r) * g.cols + j];
      if (c >= 0) grad.row(c)[j] += g.row(r)[j];
    }
  }
}

}  // namespace cupel::reference
