// Made sets of small graphs with labels of nodes and arcs.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/graph/graph.h"
#include "cupel/learn/graph_kernels/labelled_graphs.h"

namespace cupel {

struct MadeLabelledGraphs {
  Csr adjacency;
  std::vector<Index> start = {0}, node_labels, arc_labels;

  LabelledGraphs plain() const { return {adjacency, start, {}, {}}; }
  LabelledGraphs labelled() const { return {adjacency, start, node_labels, {}}; }
  LabelledGraphs all_labelled() const { return {adjacency, start, node_labels, arc_labels}; }
  Index size() const { return static_cast<Index>(start.size()) - 1; }
  Index nodes(Index g) const { return start[g + 1] - start[g]; }
  bool joined(Index u, Index v) const {
    const auto row = adjacency.row_columns(u);
    return std::binary_search(row.begin(), row.end(), v);
  }
  Index arc_label(Index u, Index v) const {
    const auto row = adjacency.row_columns(u);
    return arc_labels[adjacency.row_ptr[u] +
                      (std::lower_bound(row.begin(), row.end(), v) - row.begin())];
  }
};

// One graph: how many nodes, and edges between them.
struct MadeGraph {
  Index nodes = 0;
  std::vector<std::pair<Index, Index>> edges;
};

// Labels are drawn from `labels` for nodes and two for arcs; an edge has one label.
inline MadeLabelledGraphs union_of(const std::vector<MadeGraph>& graphs, Index labels = 3) {
  MadeLabelledGraphs out;
  std::vector<Edge> edges;
  for (const MadeGraph& g : graphs) {
    for (const auto& [u, v] : g.edges)
      edges.push_back({out.start.back() + u, out.start.back() + v});
    out.start.push_back(out.start.back() + g.nodes);
  }
  out.adjacency = drop_self_loops(symmetrise(from_edges(out.start.back(), edges)));
  Stream random(stream_key("labels"), 0);
  for (Index v = 0; v < out.start.back(); ++v)
    out.node_labels.push_back(
        static_cast<Index>(random.next_below(static_cast<std::uint32_t>(labels))));
  for (Index u = 0; u < out.adjacency.rows; ++u)
    for (const Index v : out.adjacency.row_columns(u)) out.arc_labels.push_back((u + v) % 2);
  return out;
}

inline MadeGraph random_graph(Stream& random, Index nodes, double density) {
  MadeGraph out;
  out.nodes = nodes;
  for (Index u = 0; u < nodes; ++u)
    for (Index v = u + 1; v < nodes; ++v)
      if (random.next_unit() < density) out.edges.emplace_back(u, v);
  return out;
}

// Of at most `most` nodes, sparse to dense; the first has no node, the second no edge.
inline MadeLabelledGraphs random_graphs(Index count, Index most, Index labels = 3) {
  Stream random(stream_key("made graphs"), 0);
  std::vector<MadeGraph> graphs = {{}, {3, {}}};
  while (static_cast<Index>(graphs.size()) < count) {
    const auto nodes = 1 + static_cast<Index>(random.next_below(static_cast<std::uint32_t>(most)));
    graphs.push_back(random_graph(random, nodes, 0.15 + 0.6 * random.next_unit()));
  }
  return union_of(graphs, labels);
}

inline MadeGraph cycle(Index nodes) {
  MadeGraph out;
  out.nodes = nodes;
  for (Index v = 0; v < nodes; ++v) out.edges.emplace_back(v, (v + 1) % nodes);
  return out;
}
inline MadeGraph path(Index nodes) {
  MadeGraph out = cycle(nodes);
  out.edges.pop_back();
  return out;
}
inline MadeGraph star(Index leaves) {
  MadeGraph out;
  out.nodes = leaves + 1;
  for (Index v = 1; v <= leaves; ++v) out.edges.emplace_back(0, v);
  return out;
}

}  // namespace cupel
