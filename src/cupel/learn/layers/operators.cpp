#include "cupel/learn/layers/operators.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

std::vector<double> row_sums(const Csr& matrix) {
  std::vector<double> out(static_cast<std::size_t>(matrix.rows));
  for (Index i = 0; i < matrix.rows; ++i)
    for (Offset e = matrix.row_ptr[i]; e < matrix.row_ptr[i + 1]; ++e) out[i] += matrix.value(e);
  return out;
}

Csr with_values(Csr matrix) {
  if (matrix.is_pattern()) matrix.values.assign(matrix.columns.size(), 1.0f);
  return matrix;
}

}  // namespace

Csr pattern_of(Csr matrix) {
  matrix.values.clear();
  return matrix;
}

Csr one_more_self_loop(const Csr& matrix) {
  Csr out = add_self_loops(matrix);
  out.values.assign(out.columns.size(), 1.0f);
  for (Index i = 0; i < out.rows; ++i) {
    Offset from = matrix.row_ptr[i];
    for (Offset e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e) {
      const bool loop = out.columns[e] == i;
      const auto is_stored = [&] {
        return from < matrix.row_ptr[i + 1] && matrix.columns[from] == out.columns[e];
      };
      float value = is_stored() ? matrix.value(from++) : 0.0f;
      while (loop && is_stored()) value += matrix.value(from++);  // of a multigraph
      out.values[e] = value + (loop ? 1.0f : 0.0f);
    }
  }
  return out;
}

Csr mean_operator(Csr matrix) {
  const std::vector<double> sums = row_sums(matrix);
  Csr out = with_values(std::move(matrix));
  for (Index i = 0; i < out.rows; ++i)
    for (Offset e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e)
      out.values[e] = sums[i] != 0 ? static_cast<float>(out.values[e] / sums[i]) : 0.0f;
  return out;
}

Csr symmetric_operator(Csr matrix) {
  std::vector<double> scale = row_sums(matrix);
  for (double& s : scale) s = s > 0 ? 1.0 / std::sqrt(s) : 0.0;
  Csr out = with_values(std::move(matrix));
  for (Index i = 0; i < out.rows; ++i)
    for (Offset e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e)
      out.values[e] = static_cast<float>(out.values[e] * (scale[i] * scale[out.columns[e]]));
  return out;
}

Csr two_hop_pattern(const Csr& adjacency) {
  Csr out;
  out.rows = adjacency.rows;
  out.cols = adjacency.cols;
  std::vector<Index> reached(static_cast<std::size_t>(adjacency.rows), -1);  // by which row
  std::vector<Index> found;
  for (Index i = 0; i < adjacency.rows; ++i) {
    reached[i] = i;
    for (const Index j : adjacency.row_columns(i)) reached[j] = i;
    found.clear();
    for (const Index j : adjacency.row_columns(i)) {
      for (const Index k : adjacency.row_columns(j)) {
        if (reached[k] == i) continue;
        reached[k] = i;
        found.push_back(k);
      }
    }
    std::sort(found.begin(), found.end());
    out.columns.insert(out.columns.end(), found.begin(), found.end());
    out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
  }
  return out;
}

Csr first_appearance_order(const Csr& adjacency) {
  const bool undirected = is_symmetric(adjacency);
  std::vector<Index> rank(static_cast<std::size_t>(adjacency.rows), -1);
  Index next = 0;
  const auto see = [&](Index node) {
    if (rank[node] < 0) rank[node] = next++;
  };
  for (Index i = 0; i < adjacency.rows; ++i) {
    for (const Index j : adjacency.row_columns(i)) {
      if (undirected && j < i) continue;
      see(i);
      see(j);
    }
  }
  for (Index i = 0; i < adjacency.rows; ++i) see(i);
  std::vector<Edge> edges;
  edges.reserve(adjacency.columns.size());
  for (Index i = 0; i < adjacency.rows; ++i)
    for (const Index j : adjacency.row_columns(i)) edges.push_back({rank[i], rank[j]});
  return from_edges(adjacency.rows, edges);
}

Csr member_operator(const std::vector<Index>& start, bool mean) {
  Csr out;
  out.rows = static_cast<Index>(start.size()) - 1;
  out.cols = start.back();
  out.row_ptr.assign(start.begin(), start.end());
  out.columns.resize(static_cast<std::size_t>(out.cols));
  std::iota(out.columns.begin(), out.columns.end(), 0);
  if (!mean) return out;
  out.values.reserve(out.columns.size());
  for (Index g = 0; g < out.rows; ++g) {
    const auto size = static_cast<std::size_t>(start[g + 1] - start[g]);
    out.values.insert(out.values.end(), size, 1.0f / static_cast<float>(size));
  }
  return out;
}

}  // namespace cupel
