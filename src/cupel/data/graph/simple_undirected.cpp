#include "cupel/data/graph/simple_undirected.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "cupel/base/huge_pages.h"
#include "cupel/data/graph/arc_pairs.h"
#include "cupel/data/graph/sort_row.h"

namespace cupel {

Csr simple_undirected(const Csr& graph) {
  if (graph.rows != graph.cols) throw std::logic_error("a graph's matrix must be square");
  Csr out;
  out.rows = out.cols = graph.rows;
  out.row_ptr.assign(static_cast<std::size_t>(graph.rows) + 1, 0);
  visit_pairs(graph, [&](Index i, Index j) {
    ++out.row_ptr[i + 1];
    ++out.row_ptr[j + 1];
  });
  std::partial_sum(out.row_ptr.begin(), out.row_ptr.end(), out.row_ptr.begin());
  out.columns.reserve(static_cast<std::size_t>(out.entries()));
  advise_huge_pages(out.columns.data(), out.columns.capacity() * sizeof(Index));
  out.columns.resize(static_cast<std::size_t>(out.entries()));
  std::vector<Offset> next(out.row_ptr.begin(), out.row_ptr.end() - 1);
  visit_pairs(graph, [&](Index i, Index j) {
    out.columns[next[i]++] = j;
    out.columns[next[j]++] = i;
  });
  next = {};
  // In order already where each edge stands once, at its smaller node, or in both directions.
  std::vector<Index> space;
  const int bits = bits_of(graph.rows - 1);
  for (Index i = 0; i < out.rows; ++i) {
    const std::span row(out.columns.data() + out.row_ptr[i],
                        static_cast<std::size_t>(out.row_size(i)));
    if (!std::ranges::is_sorted(row)) sort_row(row, space, bits);
  }
  return out;
}

}  // namespace cupel
