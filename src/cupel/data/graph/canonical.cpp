#include "cupel/data/graph/canonical.h"

#include <algorithm>

namespace cupel {
namespace {

// Ascending, where repeats are allowed if `strict` is false.
bool rows_ascend(const Csr& m, bool strict) {
  for (Index i = 0; i < m.rows; ++i) {
    for (Offset at = m.row_ptr[i] + 1; at < m.row_ptr[i + 1]; ++at) {
      if (strict ? m.columns[at - 1] >= m.columns[at] : m.columns[at - 1] > m.columns[at]) {
        return false;
      }
    }
  }
  return true;
}

void merge_repeats(Csr& m) {
  if (m.values.empty()) m.values.assign(m.columns.size(), 1.0f);
  Offset kept = 0, at = 0;
  for (Index i = 0; i < m.rows; ++i) {
    const Offset row_start = kept, row_end = m.row_ptr[i + 1];
    for (; at < row_end; ++at) {
      if (kept > row_start && m.columns[kept - 1] == m.columns[at]) {
        m.values[kept - 1] += m.values[at];
      } else {
        m.columns[kept] = m.columns[at];
        m.values[kept++] = m.values[at];
      }
    }
    m.row_ptr[i + 1] = kept;
  }
  m.columns.resize(kept);
  m.values.resize(kept);
}

}  // namespace

Csr canonical(Csr matrix) {
  // Two stable transpositions are a counting sort of every row.
  if (!rows_ascend(matrix, false)) matrix = transpose(transpose(matrix));
  if (!rows_ascend(matrix, true)) merge_repeats(matrix);
  if (std::ranges::all_of(matrix.values, [](float v) { return v == 1.0f; })) {
    matrix.values = {};
  }
  return matrix;
}

}  // namespace cupel
