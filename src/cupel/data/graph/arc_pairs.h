// Entries of a square matrix and their reverse, in one walk and without a transposed copy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Calls visit(i, j, there, back) for every pair j < i with an entry (i, j), row by row: there are
// `there` >= 1 entries (i, j) and `back` >= 0 entries (j, i). Linear time; 8 bytes per row.
template <class Visit>
void visit_lower_arcs(const Csr& graph, Visit visit) {
  // Where row j goes on: the rows that ask it for themselves ascend, and so do its columns.
  std::vector<Offset> next(graph.row_ptr.begin(), graph.row_ptr.end() - 1);
  const auto pass = [&](Offset& at, Offset end, Index column) {
    const Offset from = at;
    while (at < end && graph.columns[static_cast<std::size_t>(at)] == column) ++at;
    return at - from;
  };
  for (Index i = 0; i < graph.rows; ++i) {
    const Offset row_end = graph.row_ptr[static_cast<std::size_t>(i) + 1];
    for (Offset own = graph.row_ptr[static_cast<std::size_t>(i)]; own < row_end;) {
      const Index j = graph.columns[static_cast<std::size_t>(own)];
      if (j >= i) break;
      const Offset there = pass(own, row_end, j);
      Offset& at = next[static_cast<std::size_t>(j)];
      const Offset end = graph.row_ptr[static_cast<std::size_t>(j) + 1];
      while (at < end && graph.columns[static_cast<std::size_t>(at)] < i) ++at;
      visit(i, j, there, pass(at, end, i));
    }
  }
}

// Visits each pair i != j that an entry joins once, as (i, j) or (j, i), whichever is
// stored. Linear time; 8 bytes per row.
template <class Visit>
void visit_pairs(const Csr& graph, Visit visit) {
  for (Index i = 0; i < graph.rows; ++i) {
    Index before = i;
    for (const Index j : graph.row_columns(i)) {
      if (j > before) visit(i, j);
      before = std::max(before, j);
    }
  }
  visit_lower_arcs(graph, [&](Index i, Index j, Offset, Offset back) {
    if (back == 0) visit(i, j);
  });
}

}  // namespace cupel
