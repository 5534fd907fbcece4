// What tests of Deep Graph Infomax embed.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/dataset.h"
#include "cupel/data/graph/graph.h"

namespace cupel {

// Nine nodes: a triangle, a path that hangs on it, a pair and one alone.
inline std::shared_ptr<Dataset> small_graph(bool sparse_features = false) {
  auto data = std::make_shared<Dataset>();
  data->name = "small";
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {6, 7}};
  data->adjacency = symmetrise(from_edges(9, edges));
  Matrix x(9, 4);
  for (std::size_t i = 0; i < x.values.size(); ++i)
    x.values[i] = static_cast<float>(std::sin(1.0 + 1.7 * static_cast<double>(i)));
  if (sparse_features) {
    Csr csr;
    csr.rows = 9;
    csr.cols = 4;
    for (Index i = 0; i < 9; ++i) {
      csr.columns.push_back(i % 4);
      csr.values.push_back(x(i, i % 4));
      csr.row_ptr.push_back(i + 1);
    }
    data->features = csr;
  } else {
    data->features = x;
  }
  return data;
}

inline const StreamKey kKey = stream_key("infomax");

}  // namespace cupel
