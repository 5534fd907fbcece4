// Slow oracle of batch_norm.h, in double.
#pragma once

#include <cmath>
#include <vector>

#include "cupel/engine/kernels/views.h"

namespace cupel::reference {

// out = relu?((in - mean) / sqrt(variance + 1e-5) * gain + shift), column by column. Where g is
// given: d sum(g out) / d in, gain and shift, by the derivative of every output with respect to
// every input of its column.
inline void batch_norm(ConstDenseView in, const float* gain, const float* shift, bool relu,
                       DenseView out, ConstDenseView g = {}, DenseView grad_in = {},
                       float* grad_gain = nullptr, float* grad_shift = nullptr) {
  const auto n = static_cast<double>(in.rows);
  for (Index j = 0; j < in.cols; ++j) {
    double mean = 0, variance = 0;
    for (Index i = 0; i < in.rows; ++i) mean += in.row(i)[j] / n;
    for (Index i = 0; i < in.rows; ++i) variance += std::pow(in.row(i)[j] - mean, 2) / n;
    const double s = 1 / std::sqrt(variance + 1e-5);
    const auto x = [&](Index i) { return (in.row(i)[j] - mean) * s; };
    const auto y = [&](Index i) { return x(i) * gain[j] + shift[j]; };
    for (Index i = 0; i < in.rows; ++i)
      out.row(i)[j] = static_cast<float>(relu && y(i) < 0 ? 0.0 : y(i));
    if (g.data == nullptr) continue;
    const auto flow = [&](Index i) { return relu && y(i) <= 0 ? 0.0 : double{g.row(i)[j]}; };
    double gains = 0, shifts = 0;
    for (Index i = 0; i < in.rows; ++i) {
      gains += flow(i) * x(i);
      shifts += flow(i);
    }
    grad_gain[j] = static_cast<float>(gains);
    grad_shift[j] = static_cast<float>(shifts);
    for (Index k = 0; k < in.rows; ++k) {
      double sum = 0;
      for (Index i = 0; i < in.rows; ++i)
        sum += flow(i) * gain[j] * s * ((i == k ? 1.0 : 0.0) - 1 / n - x(i) * x(k) / n);
      grad_in.row(k)[j] = static_cast<float>(sum);
    }
  }
}

}  // namespace cupel::reference
