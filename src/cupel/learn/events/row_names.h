// Sparse constants of programs whose rows name rows of others, filled again and again, and the
// numbers of rows.
#pragma once

#include <numeric>
#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// 0, 1, ..., rows - 1: all that a program gives, for its binding.
[[nodiscard]] inline std::vector<Index> all_rows(Index rows) {
  std::vector<Index> out(static_cast<std::size_t>(rows));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// Leaves `cols`.
inline void take_rows_out(Csr& m) {
  m.rows = 0;
  m.row_ptr.assign(1, 0);
  m.columns.clear(), m.values.clear();
}

// -1: a row without entry; else one entry behind those that the row has already.
inline void end_row(Csr& m, Index column = -1) {
  if (column >= 0) m.columns.push_back(column);
  m.row_ptr.push_back(std::ssize(m.columns));
  ++m.rows;
}
// The same with an entry for each of `columns`.
inline void end_row(Csr& m, std::span<const Index> columns) {
  m.columns.insert(m.columns.end(), columns.begin(), columns.end());
  end_row(m);
}

inline void resize(Matrix& m, Index rows, Index cols) {
  m.rows = rows, m.cols = cols;
  m.values.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
}

}  // namespace cupel
