#include "cupel/data/graph/canonical.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace cupel {
namespace {

bool strictly_ascend(std::span<const Index> columns) {
  return std::ranges::adjacent_find(columns, std::greater_equal<>()) == columns.end();
}

// Row by row, not by transposing: cols may be a claim far larger than the number of entries.
void sort_row(Csr& m, Index row, std::vector<std::pair<Index, float>>& space) {
  const Offset from = m.row_ptr[row], to = m.row_ptr[row + 1];
  space.clear();
  for (Offset at = from; at < to; ++at) space.emplace_back(m.columns[at], m.value(at));
  std::ranges::stable_sort(space, {}, &std::pair<Index, float>::first);
  for (Offset at = from; at < to; ++at) {
    m.columns[at] = space[at - from].first;
    if (!m.is_pattern()) m.values[at] = space[at - from].second;
  }
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
  std::vector<std::pair<Index, float>> space;
  bool repeats = false;
  for (Index i = 0; i < matrix.rows; ++i) {
    if (strictly_ascend(matrix.row_columns(i))) continue;
    if (!std::ranges::is_sorted(matrix.row_columns(i))) sort_row(matrix, i, space);
    repeats = repeats || !strictly_ascend(matrix.row_columns(i));
  }
  if (repeats) merge_repeats(matrix);
  if (std::ranges::all_of(matrix.values, [](float v) { return v == 1.0f; })) {
    matrix.values = {};
  }
  return matrix;
}

}  // namespace cupel
