#include "cupel/data/graph/graph.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cupel/data/graph/arc_pairs.h"
#include "cupel/data/graph/canonical.h"

namespace cupel {
namespace {

void require_square(const Csr& graph) {
  if (graph.rows != graph.cols) throw std::logic_error("a graph's matrix must be square");
}

// Rows in order, entries in the order of the list; not yet canonical.
Csr group_by_source(Index nodes, std::span<const Edge> edges, std::span<const float> weights) {
  Csr out;
  out.rows = out.cols = nodes;
  out.row_ptr.assign(static_cast<std::size_t>(nodes) + 1, 0);
  for (const Edge& e : edges) {
    if (e.source < 0 || e.source >= nodes || e.target < 0 || e.target >= nodes) {
      throw std::out_of_range("an edge names a node outside the graph");
    }
    ++out.row_ptr[e.source + 1];
  }
  std::partial_sum(out.row_ptr.begin(), out.row_ptr.end(), out.row_ptr.begin());
  std::vector<Offset> next(out.row_ptr.begin(), out.row_ptr.end() - 1);
  out.columns.resize(edges.size());
  out.values.resize(weights.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const Offset to = next[edges[e].source]++;
    out.columns[to] = edges[e].target;
    if (!weights.empty()) out.values[to] = weights[e];
  }
  return out;
}

// Visits the different columns of two ascending rows in ascending order: visit(column, sum of the
// values there).
template <class Visit>
void merge_rows(const Csr& a, const Csr& b, Index row, Visit visit) {
  Offset x = a.row_ptr[row], y = b.row_ptr[row];
  const Offset x_end = a.row_ptr[row + 1], y_end = b.row_ptr[row + 1];
  while (x < x_end || y < y_end) {
    const Index column =
        y == y_end || (x < x_end && a.columns[x] < b.columns[y]) ? a.columns[x] : b.columns[y];
    float sum = 0;
    for (; x < x_end && a.columns[x] == column; ++x) sum += a.value(x);
    for (; y < y_end && b.columns[y] == column; ++y) sum += b.value(y);
    visit(column, sum);
  }
}

// The entries for which keep(row, position) holds, values included.
template <class Keep>
Csr filter(const Csr& graph, Keep keep) {
  Csr out;
  out.rows = graph.rows;
  out.cols = graph.cols;
  out.row_ptr.reserve(graph.row_ptr.size());
  for (Index i = 0; i < graph.rows; ++i) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      if (!keep(i, at)) continue;
      out.columns.push_back(graph.columns[at]);
      if (!graph.is_pattern()) out.values.push_back(graph.values[at]);
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Index find_root(std::vector<Index>& parent, Index node) {
  while (parent[node] != node) {
    parent[node] = parent[parent[node]];  // path halving
    node = parent[node];
  }
  return node;
}

}  // namespace

Csr from_edges(Index nodes, std::span<const Edge> edges) {
  Csr out = canonical(group_by_source(nodes, edges, {}));
  out.values = {};
  return out;
}

Csr from_edges(Index nodes, std::span<const Edge> edges, std::span<const float> weights) {
  if (weights.size() != edges.size()) throw std::logic_error("one weight per edge is needed");
  return canonical(group_by_source(nodes, edges, weights));
}

Csr symmetrise(const Csr& graph) {
  require_square(graph);
  const Csr transposed = transpose(graph);
  Csr out;
  out.rows = out.cols = graph.rows;
  out.row_ptr.reserve(graph.row_ptr.size());
  out.columns.reserve(2 * graph.columns.size());
  for (Index i = 0; i < graph.rows; ++i) {
    merge_rows(graph, transposed, i, [&](Index column, float sum) {
      if (sum != 0.0f) out.columns.push_back(column);
    });
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  out.columns.shrink_to_fit();
  return out;
}

Csr drop_self_loops(const Csr& graph) {
  require_square(graph);
  return filter(graph, [&](Index row, Offset at) {
    return graph.columns[at] != row && graph.value(at) != 0.0f;
  });
}

Csr add_self_loops(const Csr& graph) {
  require_square(graph);
  Csr out;
  out.rows = out.cols = graph.rows;
  out.row_ptr.reserve(graph.row_ptr.size());
  out.columns.reserve(graph.columns.size() + static_cast<std::size_t>(graph.rows));
  for (Index i = 0; i < graph.rows; ++i) {
    const auto columns = graph.row_columns(i);
    const auto [at, behind] = std::equal_range(columns.begin(), columns.end(), i);
    out.columns.insert(out.columns.end(), columns.begin(), at);
    out.columns.push_back(i);
    out.columns.insert(out.columns.end(), behind, columns.end());
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Components connected_components(const Csr& graph) {
  require_square(graph);
  std::vector<Index> parent(static_cast<std::size_t>(graph.rows));
  std::iota(parent.begin(), parent.end(), 0);
  for (Index i = 0; i < graph.rows; ++i) {
    for (const Index j : graph.row_columns(i)) {
      const Index a = find_root(parent, i), b = find_root(parent, j);
      // The smaller node is the root, so components come out numbered by their smallest node.
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  Components out;
  out.of_node.resize(parent.size());
  for (Index i = 0; i < graph.rows; ++i) {
    const Index root = find_root(parent, i);
    if (root == i) {
      out.of_node[i] = static_cast<Index>(out.sizes.size());
      out.sizes.push_back(0);
    } else {
      out.of_node[i] = out.of_node[root];
    }
    ++out.sizes[out.of_node[i]];
  }
  return out;
}

Csr induced_subgraph(const Csr& graph, std::span<const Index> nodes) {
  require_square(graph);
  std::vector<Index> new_id(static_cast<std::size_t>(graph.rows), -1);
  Index previous = -1;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k] <= previous || nodes[k] >= graph.rows) {
      throw std::logic_error("nodes of a subgraph must ascend within the graph");
    }
    previous = nodes[k];
    new_id[nodes[k]] = static_cast<Index>(k);
  }
  Csr out;
  out.rows = out.cols = static_cast<Index>(nodes.size());
  out.row_ptr.reserve(nodes.size() + 1);
  for (const Index i : nodes) {
    for (Offset at = graph.row_ptr[i]; at < graph.row_ptr[i + 1]; ++at) {
      const Index column = new_id[graph.columns[at]];
      if (column < 0) continue;
      out.columns.push_back(column);
      if (!graph.is_pattern()) out.values.push_back(graph.values[at]);
    }
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

bool is_symmetric(const Csr& graph) {
  require_square(graph);
  const Csr transposed = transpose(graph);
  return transposed.row_ptr == graph.row_ptr && transposed.columns == graph.columns &&
         transposed.values == graph.values;
}

Offset count_undirected_edges(const Csr& graph) {
  require_square(graph);
  Offset pairs = 0;
  visit_pairs(graph, [&](Index, Index) { ++pairs; });
  return pairs;
}

Offset count_self_loops(const Csr& graph) {
  require_square(graph);
  Offset loops = 0;
  for (Index i = 0; i < graph.rows; ++i) {
    const auto columns = graph.row_columns(i);
    const auto own = std::equal_range(columns.begin(), columns.end(), i);
    loops += own.second - own.first;
  }
  return loops;
}

}  // namespace cupel
