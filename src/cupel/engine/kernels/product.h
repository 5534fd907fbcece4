// What dense.cpp and dense_blocked.cpp share: a product, whichever of its factors is transposed.
#pragma once

#include <cstddef>

#include "cupel/base/matrix.h"
#include "cupel/base/parallel.h"

namespace cupel::kernels {

// out(r, j) = sum over p < depth of a[r * a_row + p * a_step] * b[p * b_row + j * b_step].
// One of a_row and a_step is 1, and one of b_row and b_step.
struct Product {
  const float* a = nullptr;
  std::size_t a_row = 0, a_step = 0;
  const float* b = nullptr;
  std::size_t b_row = 0, b_step = 1;
  Index rows = 0, cols = 0, depth = 0;
  float* out = nullptr;
  std::size_t out_row = 0;
  bool resume = false;  // out holds the sums so far
};

// Rows of A that dense.cpp sums at a time.
inline constexpr Index kTileRows = 6;

// For products large enough that copying both factors into an order fit for the caches pays.
[[nodiscard]] bool worth_blocking(const Product& product);
void multiply_blocked(Threads threads, const Product& product);

}  // namespace cupel::kernels
