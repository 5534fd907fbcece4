// Small sets of graphs for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/dataset.h"
#include "cupel/data/graph/graph.h"

namespace cupel::test {

struct MadeGraph {
  Index nodes = 0;
  std::vector<std::pair<Index, Index>> edges;  // each once
  Index label = 0;
};

// Without node labels.
inline Dataset made_set(const std::vector<MadeGraph>& graphs) {
  Dataset out;
  out.name = "made";
  out.graphs.emplace();
  out.graphs->start = {0};
  std::vector<Edge> edges;
  Index classes = 0;
  for (const MadeGraph& graph : graphs) {
    const Index first = out.graphs->start.back();
    for (const auto& [a, b] : graph.edges) {
      edges.push_back({first + a, first + b});
      edges.push_back({first + b, first + a});
    }
    out.graphs->start.push_back(first + graph.nodes);
    out.labels().push_back(graph.label);
    classes = std::max(classes, graph.label + 1);
  }
  for (Index c = 0; c < classes; ++c) out.class_names().push_back(std::to_string(c));
  const Index nodes = out.graphs->start.back();
  out.adjacency = from_edges(nodes, edges);
  Csr none;
  none.rows = nodes;
  none.row_ptr.assign(static_cast<std::size_t>(nodes) + 1, 0);
  out.features = std::move(none);
  out.graphs->node_attributes = Matrix(nodes, 0);
  out.graphs->arc_attributes = Matrix(static_cast<Index>(out.adjacency.entries()), 0);
  return out;
}

// Every pair joined with probability p.
inline MadeGraph random_graph(Index nodes, double p, std::uint32_t seed, Index label = 0) {
  Stream stream(stream_key("tests/random-graph"), 1, 0, seed);
  MadeGraph out{nodes, {}, label};
  for (Index a = 0; a < nodes; ++a) {
    for (Index b = a + 1; b < nodes; ++b) {
      if (stream.next_unit() < p) out.edges.emplace_back(a, b);
    }
  }
  return out;
}

inline MadeGraph complete_graph(Index nodes, Index label = 0) {
  return random_graph(nodes, 2, 0, label);
}
inline MadeGraph cycle_graph(Index nodes, Index label = 0) {
  MadeGraph out{nodes, {}, label};
  for (Index v = 0; v < nodes; ++v) out.edges.emplace_back(v, (v + 1) % nodes);
  return out;
}

}  // namespace cupel::test
