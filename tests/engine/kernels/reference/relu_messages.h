// Slow oracle of relu_messages.h: every message written out, in double.
#pragma once

#include <vector>

#include "cupel/engine/kernels/relu_messages.h"

namespace cupel::reference {

// Calls f(r, c, e, j, x) for every entry and column, x the message before it is cut off.
template <class F>
void for_messages(const SparseView& a, const kernels::ArcMap& map, ConstDenseView h, F f) {
  for (Index r = 0; r < a.rows; ++r)
    for (Offset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e)
      for (Index j = 0; j < h.cols; ++j) {
        double x = double{h.row(a.columns[e])[j]} + map.bias[j];
        for (Index k = 0; k < map.arcs.cols; ++k)
          x += double{map.arcs.row(static_cast<Index>(e))[k]} * map.weights.row(k)[j];
        f(r, a.columns[e], e, j, x);
      }
}

inline void relu_messages(const SparseView& a, const kernels::ArcMap& map, ConstDenseView h,
                          DenseView out) {
  std::vector<double> sums(static_cast<std::size_t>(out.rows) * out.cols);
  for_messages(a, map, h, [&](Index r, Index, Offset e, Index j, double x) {
    sums[static_cast<std::size_t>(r) * out.cols + j] += x > 0 ? a.value(e) * x : 0.0;
  });
  for (Index r = 0; r < out.rows; ++r)
    for (Index j = 0; j < out.cols; ++j)
      out.row(r)[j] = static_cast<float>(sums[static_cast<std::size_t>(r) * out.cols + j]);
}

inline void relu_messages_backward(const SparseView& a, const kernels::ArcMap& map,
                                   ConstDenseView h, ConstDenseView g, DenseView grad_h,
                                   DenseView grad_weights, float* grad_bias) {
  for_messages(a, map, h, [&](Index r, Index c, Offset e, Index j, double x) {
    if (x <= 0) return;
    const double flow = double{a.value(e)} * g.row(r)[j];
    grad_h.row(c)[j] += static_cast<float>(flow);
    grad_bias[j] += static_cast<float>(flow);
    for (Index k = 0; k < map.arcs.cols; ++k)
      grad_weights.row(k)[j] += static_cast<float>(flow * map.arcs.row(static_cast<Index>(e))[k]);
  });
}

}  // namespace cupel::reference
