// Sets of random graphs with labels and attributes of nodes and arcs, and tasks on them.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "learn/made_task.h"

namespace cupel {

struct DrawnSize {
  Index graphs = 60, classes = 3;
  Index nodes = 9;   // of a graph, at most
  Index kinds = 5;   // labels of nodes
  Index values = 3;  // attributes of an arc
};

// Graph 1 is a single node, the first node of graph 2 is isolated. The attributes of a node are
// those of an atom, small whole numbers, of which node g of the set has 9 (the largest that are
// allowed are 118, 3, 11, 11, 9, 5, 5, 1, 1); both arcs of an edge have the same.
inline Dataset drawn_graphs(DrawnSize size = {}) {
  Stream random(stream_key("drawn graphs"), 0);
  const auto below = [&](Index bound) {
    return static_cast<Index>(random.next_below(static_cast<std::uint32_t>(bound)));
  };
  Dataset data;
  data.name = "drawn-graphs";
  data.graphs.emplace();
  GraphSet& set = *data.graphs;
  set.start = {0};
  std::vector<Edge> edges;
  for (Index g = 0; g < size.graphs; ++g) {
    const Index first = set.start.back();
    const Index nodes = g == 1 ? 1 : std::max<Index>(3, 1 + below(size.nodes));
    set.start.push_back(first + nodes);
    const Index from = first + (g == 2 ? 1 : 0);
    for (Index i = from; i + 1 < first + nodes; ++i) {
      edges.push_back({from + below(i + 1 - from), i + 1});
      const Index other = from + below(i + 1 - from);
      if (below(2) == 0) edges.push_back({other, i + 1});
    }
    data.labels().push_back(g < size.classes ? g : below(size.classes));
  }
  for (Index c = 0; c < size.classes; ++c) data.class_names().push_back(std::to_string(c));
  const Index nodes = set.start.back();
  data.adjacency = drop_self_loops(symmetrise(from_edges(nodes, edges)));
  Csr labels;
  labels.rows = nodes;
  labels.cols = size.kinds;
  for (Index i = 0; i < nodes; ++i) {
    labels.columns.push_back(below(size.kinds));
    labels.row_ptr.push_back(i + 1);
  }
  data.features = std::move(labels);
  set.node_attributes = Matrix(nodes, 9);
  constexpr Index kLargest[9] = {118, 3, 11, 11, 9, 5, 5, 1, 1};
  for (Index i = 0; i < nodes; ++i)
    for (Index c = 0; c < 9; ++c)
      set.node_attributes(i, c) = static_cast<float>(below(kLargest[c] + 1));
  set.arc_attributes = Matrix(static_cast<Index>(data.adjacency.entries()), size.values);
  const Csr& arcs = data.adjacency;
  for (Index i = 0; i < nodes; ++i)
    for (Offset e = arcs.row_ptr[i]; e < arcs.row_ptr[i + 1]; ++e) {
      const Index j = arcs.columns[e];
      const auto there = arcs.row_columns(j);
      const auto back = static_cast<Index>(
          arcs.row_ptr[j] + (std::lower_bound(there.begin(), there.end(), i) - there.begin()));
      for (Index c = 0; c < size.values; ++c)
        set.arc_attributes(static_cast<Index>(e), c) =
            j < i ? set.arc_attributes(back, c) : static_cast<float>(below(3)) - 0.5f;
    }
  return data;
}

inline Split leading_graphs(const Dataset& data, Index train, Index valid) {
  Split split;
  for (Index g = 0; g < data.graphs->size(); ++g)
    (g < train ? split.train : g < train + valid ? split.valid : split.test).push_back(g);
  return split;
}

inline ClassTask drawn_task(DrawnSize size = {}, Index train = 20, Index valid = 20) {
  Dataset data = drawn_graphs(size);
  const Split split = leading_graphs(data, train, valid);
  return task_of(std::move(data), split);
}

// The same set with graph g called places[g], and the nodes of each graph in the opposite order.
inline Dataset renumbered_graphs(const Dataset& data, const std::vector<Index>& places) {
  const GraphSet& from = *data.graphs;
  Dataset out = data;
  std::vector<Index> graph_at(places.size());
  for (std::size_t g = 0; g < places.size(); ++g) graph_at[places[g]] = static_cast<Index>(g);
  GraphSet& set = *out.graphs;
  set.start = {0};
  std::vector<Index> node_at;  // old number of each new node
  for (std::size_t at = 0; at < graph_at.size(); ++at) {
    const Index g = graph_at[at];
    for (Index i = from.start[g + 1]; i-- > from.start[g];) node_at.push_back(i);
    set.start.push_back(static_cast<Index>(node_at.size()));
    out.labels()[at] = data.labels()[g];
  }
  std::vector<Index> now(node_at.size());
  for (std::size_t i = 0; i < node_at.size(); ++i) now[node_at[i]] = static_cast<Index>(i);
  const Csr &labels = std::get<Csr>(data.features), &arcs = data.adjacency;
  Csr moved, adjacency;
  moved.rows = labels.rows;
  moved.cols = labels.cols;
  adjacency.rows = adjacency.cols = arcs.rows;
  Index to = 0;
  for (std::size_t i = 0; i < node_at.size(); ++i) {
    const Index old = node_at[i];
    for (const Index label : labels.row_columns(old)) moved.columns.push_back(label);
    moved.row_ptr.push_back(static_cast<Offset>(moved.columns.size()));
    std::copy_n(from.node_attributes.row(old), from.node_attributes.cols,
                set.node_attributes.row(static_cast<Index>(i)));
    std::vector<std::pair<Index, Offset>> row;
    for (Offset e = arcs.row_ptr[old]; e < arcs.row_ptr[old + 1]; ++e)
      row.emplace_back(now[arcs.columns[e]], e);
    std::sort(row.begin(), row.end());
    for (const auto& [column, e] : row) {
      adjacency.columns.push_back(column);
      std::copy_n(from.arc_attributes.row(static_cast<Index>(e)), from.arc_attributes.cols,
                  set.arc_attributes.row(to++));
    }
    adjacency.row_ptr.push_back(static_cast<Offset>(adjacency.columns.size()));
  }
  out.features = std::move(moved);
  out.adjacency = std::move(adjacency);
  return out;
}

}  // namespace cupel
