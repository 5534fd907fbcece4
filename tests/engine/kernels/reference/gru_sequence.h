// Slow oracle of gru_sequence.h: one row after the other, in double; gradients by the chain rule,
// step by step.
#pragma once

#include <cmath>
#include <vector>

#include "cupel/engine/kernels/gru_sequence.h"

namespace cupel::reference {

struct GruResult {
  std::vector<std::vector<double>> out, of_columns, of_rows, u;
  std::vector<double> bias;
};

inline GruResult gru_sequence(const SparseView& a, ConstDenseView of_columns,
                              ConstDenseView of_rows, ConstDenseView u, const float* bias,
                              ConstDenseView grad_out) {
  const auto d = static_cast<std::size_t>(u.rows);
  const auto zeros = [](Index rows, std::size_t cols) {
    return std::vector(static_cast<std::size_t>(rows), std::vector<double>(cols));
  };
  GruResult result{zeros(a.rows, d), zeros(of_columns.rows, 3 * d), zeros(of_rows.rows, 3 * d),
                   zeros(u.rows, 3 * d), std::vector<double>(3 * d)};
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  for (Index row = 0; row < a.rows; ++row) {
    const auto at = static_cast<std::size_t>(row);
    struct Step {
      std::vector<double> h, r, z, q, n;
      std::size_t column;
    };
    std::vector<Step> steps;
    std::vector<double> h(d);
    for (Offset e = a.row_ptr[row]; e < a.row_ptr[row + 1]; ++e) {
      Step s{h, h, h, h, h, static_cast<std::size_t>(a.columns[e])};
      for (std::size_t j = 0; j < d; ++j) {
        double x[3], own[3];
        for (std::size_t part = 0; part < 3; ++part) {
          const std::size_t c = part * d + j;
          x[part] = double{of_columns.row(a.columns[e])[c]} + of_rows.row(row)[c];
          own[part] = bias[c];
          for (std::size_t k = 0; k < d; ++k) own[part] += s.h[k] * u.row(static_cast<Index>(k))[c];
        }
        s.r[j] = sigmoid(x[0] + own[0]), s.z[j] = sigmoid(x[1] + own[1]), s.q[j] = own[2];
        s.n[j] = std::tanh(x[2] + s.r[j] * s.q[j]);
        h[j] = (1 - s.z[j]) * s.n[j] + s.z[j] * s.h[j];
      }
      steps.push_back(s);
    }
    result.out[at] = h;
    std::vector<double> g(d);
    for (std::size_t j = 0; j < d; ++j) g[j] = grad_out.row(row)[j];
    for (std::size_t k = steps.size(); k-- > 0;) {
      const Step& s = steps[k];
      std::vector<double> of_input(3 * d), of_own(3 * d), before(d);
      for (std::size_t j = 0; j < d; ++j) {
        const double n = g[j] * (1 - s.z[j]) * (1 - s.n[j] * s.n[j]);
        of_input[j] = of_own[j] = n * s.q[j] * s.r[j] * (1 - s.r[j]);
        of_input[d + j] = of_own[d + j] = g[j] * (s.h[j] - s.n[j]) * s.z[j] * (1 - s.z[j]);
        of_input[2 * d + j] = n, of_own[2 * d + j] = n * s.r[j];
        before[j] = g[j] * s.z[j];
      }
      for (std::size_t c = 0; c < 3 * d; ++c) {
        result.of_columns[s.column][c] += of_input[c];
        result.of_rows[at][c] += of_input[c];
        result.bias[c] += of_own[c];
        for (std::size_t j = 0; j < d; ++j) {
          result.u[j][c] += s.h[j] * of_own[c];
          before[j] += of_own[c] * u.row(static_cast<Index>(j))[c];
        }
      }
      g = before;
    }
  }
  return result;
}

}  // namespace cupel::reference
