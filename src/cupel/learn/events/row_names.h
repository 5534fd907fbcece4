// Sparse constants of programs whose rows name a row each, filled again and again.
#pragma once

#include "cupel/base/matrix.h"

namespace cupel {

inline void take_rows_out(Csr& m) {
  m.rows = 0;
  m.row_ptr.assign(1, 0);
  m.columns.clear();
}

// -1: a row without entry; else one entry behind those that the row has already.
inline void end_row(Csr& m, Index column = -1) {
  if (column >= 0) m.columns.push_back(column);
  m.row_ptr.push_back(std::ssize(m.columns));
  ++m.rows;
}

inline void resize(Matrix& m, Index rows, Index cols) {
  m.rows = rows, m.cols = cols;
  m.values.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
}

}  // namespace cupel
