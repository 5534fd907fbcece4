// Random inputs with the shapes and the skew of Cora.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "csr_of.h"
#include "cupel/base/matrix.h"
#include "cupel/base/random.h"
#include "cupel/engine/kernels/views.h"

namespace cupel::bench {

inline Matrix random_matrix(Index rows, Index cols, std::uint32_t seed) {
  Matrix m(rows, cols);
  Stream stream({seed, 1}, 0);
  for (float& x : m.values) x = static_cast<float>(2 * stream.next_unit() - 1);
  return m;
}

// About `mean` entries a row, popular columns first (density falls with the column as words do).
inline Csr random_csr(Index rows, Index cols, int mean, bool valued, std::uint32_t seed) {
  std::vector<std::vector<Index>> columns(static_cast<std::size_t>(rows));
  Stream stream({seed, 2}, 0);
  for (std::vector<Index>& row : columns) {
    const auto size = 1 + stream.next_below(static_cast<std::uint32_t>(2 * mean - 1));
    for (std::uint32_t i = 0; i < size; ++i) {
      row.push_back(static_cast<Index>(std::pow(stream.next_unit(), 2.0) * cols));
    }
  }
  Csr m = test::csr_of(std::move(columns), cols);
  if (valued) {
    m.values.resize(m.columns.size());
    for (float& x : m.values) x = static_cast<float>(stream.next_unit() + 0.01);
  }
  return m;
}

inline double difference(const float* a, const float* b, std::size_t size) {
  double most = 0, scale = 1e-30;
  for (std::size_t i = 0; i < size; ++i) {
    if (!(a[i] == a[i]) || !(b[i] == b[i])) return INFINITY;
    most = std::max(most, std::fabs(double{a[i]} - b[i]));
    scale = std::max(scale, std::fabs(double{b[i]}));
  }
  return most / scale;
}

inline double difference(const Matrix& a, const Matrix& b) {
  return difference(a.values.data(), b.values.data(), b.values.size());
}

}  // namespace cupel::bench
