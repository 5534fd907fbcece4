#include "cupel/base/matrix.h"

namespace cupel {

Csr transpose(const Csr& matrix) {
  Csr out;
  out.rows = matrix.cols;
  out.cols = matrix.rows;
  out.row_ptr.assign(static_cast<std::size_t>(out.rows) + 1, 0);
  out.columns.resize(matrix.columns.size());
  out.values.resize(matrix.values.size());
  for (const Index column : matrix.columns) ++out.row_ptr[column + 1];
  for (Index i = 0; i < out.rows; ++i) out.row_ptr[i + 1] += out.row_ptr[i];
  std::vector<Offset> next(out.row_ptr.begin(), out.row_ptr.end() - 1);
  for (Index i = 0; i < matrix.rows; ++i) {
    for (Offset at = matrix.row_ptr[i]; at < matrix.row_ptr[i + 1]; ++at) {
      const Offset to = next[matrix.columns[at]]++;
      out.columns[to] = i;
      if (!matrix.values.empty()) out.values[to] = matrix.values[at];
    }
  }
  return out;
}

}  // namespace cupel
