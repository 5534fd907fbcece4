#include "cupel/data/build/core.h"

#include <algorithm>

#include "cupel/data/graph/graph.h"

namespace cupel {

std::vector<Index> k_core(const Csr& graph, Index k) {
  std::vector<Offset> degree;
  std::vector<Index> leaving;
  for (Index i = 0; i < graph.rows; ++i) {
    degree.push_back(graph.row_size(i));
    if (degree.back() < k) leaving.push_back(i);
  }
  for (std::size_t next = 0; next < leaving.size(); ++next) {
    for (const Index j : graph.row_columns(leaving[next])) {
      if (degree[static_cast<std::size_t>(j)]-- == k) leaving.push_back(j);
    }
  }
  std::vector<Index> kept;
  for (Index i = 0; i < graph.rows; ++i) {
    if (degree[static_cast<std::size_t>(i)] >= k) kept.push_back(i);
  }
  return kept;
}

std::vector<Index> largest_component(const Csr& graph) {
  const Components components = connected_components(graph);
  const auto largest =
      static_cast<Index>(std::ranges::max_element(components.sizes) - components.sizes.begin());
  std::vector<Index> kept;
  for (Index i = 0; i < graph.rows; ++i) {
    if (components.of_node[static_cast<std::size_t>(i)] == largest) kept.push_back(i);
  }
  return kept;
}

}  // namespace cupel
