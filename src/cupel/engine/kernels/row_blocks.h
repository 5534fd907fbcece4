// Sums over rows that are the same on any number of threads, and whether rows that add nothing are
// there or not: rows are summed in blocks of fixed numbers, then the blocks in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel::kernels {

// A cut of rows into blocks: rows [starts[b], starts[b + 1]) have numbers with one quotient by
// kRows. A row's number is its id in the whole graph, so leaving rows out moves no boundary.
struct RowBlocks {
  static constexpr Index kRows = 256;
  std::vector<Index> starts;

  // ids: ascending (null: 0 .. rows - 1).
  RowBlocks(const Index* ids, Index rows) {
    for (Index i = 0; i < rows; ++i) {
      const auto block = [&](Index row) { return (ids != nullptr ? ids[row] : row) / kRows; };
      if (i == 0 || block(i) != block(i - 1)) starts.push_back(i);
    }
    starts.push_back(rows);
  }
  Index count() const { return static_cast<Index>(starts.size()) - 1; }
};

// out[j] = sum over blocks of partial[block * stride + j], in order, for j < cols.
inline void sum_blocks(Index blocks, const float* partial, std::size_t stride, std::size_t cols,
                       float* out) {
  std::fill_n(out, cols, 0.0f);
  for (Index b = 0; b < blocks; ++b) {
    const float* from = partial + static_cast<std::size_t>(b) * stride;
    for (std::size_t j = 0; j < cols; ++j) out[j] += from[j];
  }
}

}  // namespace cupel::kernels
