// Matrices of the columns of each row.
#pragma once

#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/base/sort_unique.h"

namespace cupel::test {

// Without values; what stands in a row twice counts once.
inline Csr csr_of(std::vector<std::vector<Index>> rows, Index cols) {
  Csr m;
  m.rows = static_cast<Index>(rows.size());
  m.cols = cols;
  for (std::vector<Index>& row : rows) {
    sort_unique(row);
    m.columns.insert(m.columns.end(), row.begin(), row.end());
    m.row_ptr.push_back(static_cast<Offset>(m.columns.size()));
  }
  return m;
}

// Both directions of every entry, and a self-loop at every node.
inline Csr symmetric_with_loops(const Csr& half) {
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(half.rows));
  for (Index i = 0; i < half.rows; ++i) {
    rows[static_cast<std::size_t>(i)].push_back(i);
    for (const Index j : half.row_columns(i)) {
      rows[static_cast<std::size_t>(i)].push_back(j);
      rows[static_cast<std::size_t>(j)].push_back(i);
    }
  }
  return csr_of(std::move(rows), half.rows);
}

}  // namespace cupel::test
