// Slow oracles of rows.h, layer_norm.h and unary.h, in double.
#pragma once

#include <cmath>
#include <vector>

#include "cupel/engine/kernels/layer_norm.h"
#include "cupel/engine/kernels/rows.h"
#include "cupel/engine/kernels/unary.h"

namespace cupel::reference {

inline void layer_norm(ConstDenseView in, const float* gain, const float* shift, DenseView out) {
  for (Index i = 0; i < in.rows; ++i) {
    double mean = 0, variance = 0;
    for (Index j = 0; j < in.cols; ++j) mean += in.row(i)[j] / static_cast<double>(in.cols);
    for (Index j = 0; j < in.cols; ++j) variance += std::pow(in.row(i)[j] - mean, 2) / in.cols;
    for (Index j = 0; j < in.cols; ++j)
      out.row(i)[j] = static_cast<float>(
          (in.row(i)[j] - mean) / std::sqrt(variance + 1e-5) * gain[j] + shift[j]);
  }
}

// d out(j) / d in(k) written out: gain(j) s ((j == k) - 1/n - x(j) x(k) / n), x normalised.
inline void layer_norm_backward(ConstDenseView in, const float* gain, ConstDenseView g,
                                DenseView grad_in, float* grad_gain, float* grad_shift) {
  const auto n = static_cast<std::size_t>(in.cols);
  std::vector<double> gains(n), shifts(n), x(n);
  for (Index i = 0; i < in.rows; ++i) {
    double mean = 0, variance = 0;
    for (std::size_t j = 0; j < n; ++j) mean += in.row(i)[j];
    mean /= static_cast<double>(n);
    for (std::size_t j = 0; j < n; ++j) variance += std::pow(in.row(i)[j] - mean, 2);
    const double scale = 1 / std::sqrt(variance / static_cast<double>(n) + 1e-5);
    for (std::size_t j = 0; j < n; ++j) x[j] = (in.row(i)[j] - mean) * scale;
    double sum = 0, along = 0;
    for (std::size_t j = 0; j < n; ++j) {
      gains[j] += g.row(i)[j] * x[j];
      shifts[j] += g.row(i)[j];
      sum += g.row(i)[j] * gain[j];
      along += g.row(i)[j] * gain[j] * x[j];
    }
    for (std::size_t k = 0; k < n; ++k)
      grad_in.row(i)[k] = static_cast<float>(
          scale * (g.row(i)[k] * gain[k] - (sum + x[k] * along) / static_cast<double>(n)));
  }
  for (std::size_t j = 0; j < n; ++j) {
    grad_gain[j] = static_cast<float>(gains[j]);
    grad_shift[j] = static_cast<float>(shifts[j]);
  }
}

inline void softmax_rows(ConstDenseView in, DenseView out) {
  for (Index i = 0; i < in.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < in.cols; ++j) sum += std::exp(double{in.row(i)[j]} - in.row(i)[0]);
    for (Index j = 0; j < in.cols; ++j)
      out.row(i)[j] = static_cast<float>(std::exp(double{in.row(i)[j]} - in.row(i)[0]) / sum);
  }
}

inline double apply(kernels::Function f, double x, double* slope) {
  switch (f) {
    case kernels::Function::kSigmoid: {
      const double y = 1 / (1 + std::exp(-x));
      *slope = y * (1 - y);
      return y;
    }
    case kernels::Function::kSoftplus:
      *slope = 1 / (1 + std::exp(-x));
      return x > 30 ? x : std::log1p(std::exp(x));
    case kernels::Function::kAbsolute:
      *slope = x > 0 ? 1 : x < 0 ? -1 : 0;
      return std::fabs(x);
    case kernels::Function::kCosine:
      *slope = -std::sin(x);
      return std::cos(x);
  }
  return 0;
}

inline void normalise_rows(double epsilon, ConstDenseView in, DenseView out, float* norms) {
  for (Index i = 0; i < in.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < in.cols; ++j) sum += double{in.row(i)[j]} * in.row(i)[j];
    norms[i] = static_cast<float>(std::sqrt(sum));
    const double divisor = std::max(epsilon, std::sqrt(sum));
    for (Index j = 0; j < in.cols; ++j) out.row(i)[j] = static_cast<float>(in.row(i)[j] / divisor);
  }
}

// From what was divided, and not from what came of it, as the kernel has it.
inline void normalise_rows_backward(double epsilon, ConstDenseView in, ConstDenseView g,
                                    DenseView grad_in, bool nan_at_zero) {
  for (Index i = 0; i < in.rows; ++i) {
    double squares = 0, dot = 0;
    for (Index j = 0; j < in.cols; ++j) {
      squares += double{in.row(i)[j]} * in.row(i)[j];
      dot += double{g.row(i)[j]} * in.row(i)[j];
    }
    const double norm = std::sqrt(squares);
    for (Index j = 0; j < in.cols; ++j) {
      double value = g.row(i)[j] / std::max(epsilon, norm);
      if (norm > epsilon) value -= in.row(i)[j] * dot / (norm * norm * norm);
      if (nan_at_zero && norm == 0) value = std::numeric_limits<double>::quiet_NaN();
      grad_in.row(i)[j] = static_cast<float>(value);
    }
  }
}

// out (g - <out, g>), row by row.
inline void softmax_rows_backward(ConstDenseView out, ConstDenseView g, DenseView grad_in) {
  for (Index i = 0; i < out.rows; ++i) {
    double dot = 0;
    for (Index j = 0; j < out.cols; ++j) dot += double{out.row(i)[j]} * g.row(i)[j];
    for (Index j = 0; j < out.cols; ++j)
      grad_in.row(i)[j] = static_cast<float>(out.row(i)[j] * (g.row(i)[j] - dot));
  }
}

}  // namespace cupel::reference
