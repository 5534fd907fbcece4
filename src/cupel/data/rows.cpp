#include "cupel/data/rows.h"

#include <algorithm>

namespace cupel {

Matrix rows_of(const Matrix& matrix, std::span<const Index> rows) {
  Matrix out(static_cast<Index>(rows.size()), matrix.cols);
  for (Index k = 0; k < out.rows; ++k) std::copy_n(matrix.row(rows[k]), matrix.cols, out.row(k));
  return out;
}

Csr rows_of(const Csr& matrix, std::span<const Index> rows) {
  Csr out;
  out.rows = static_cast<Index>(rows.size());
  out.cols = matrix.cols;
  out.row_ptr.reserve(rows.size() + 1);
  for (const Index i : rows) {
    const Offset from = matrix.row_ptr[i], to = matrix.row_ptr[i + 1];
    out.columns.insert(out.columns.end(), matrix.columns.begin() + from,
                       matrix.columns.begin() + to);
    if (!matrix.is_pattern())
      out.values.insert(out.values.end(), matrix.values.begin() + from, matrix.values.begin() + to);
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Features rows_of(const Features& features, std::span<const Index> rows) {
  return std::visit([&](const auto& matrix) { return Features(rows_of(matrix, rows)); }, features);
}

}  // namespace cupel
