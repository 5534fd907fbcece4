// The inverse of a small matrix, slowly.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace cupel {

using DenseSquare = std::vector<std::vector<long double>>;

// Gauss and Jordan, with the largest pivot of each column.
inline DenseSquare dense_inverse(DenseSquare a) {
  const std::size_t n = a.size();
  DenseSquare out(n, std::vector<long double>(n));
  for (std::size_t i = 0; i < n; ++i) out[i][i] = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    std::swap(a[c], a[pivot]);
    std::swap(out[c], out[pivot]);
    const long double by = a[c][c];
    for (std::size_t k = 0; k < n; ++k) a[c][k] /= by, out[c][k] /= by;
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const long double times = a[r][c];
      for (std::size_t k = 0; k < n; ++k)
        a[r][k] -= times * a[c][k], out[r][k] -= times * out[c][k];
    }
  }
  return out;
}

}  // namespace cupel
