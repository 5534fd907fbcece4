// A made set of graphs: rings and stars, told apart by their label.
#pragma once

#include <memory>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/graph/graph.h"
#include "cupel/learn/task.h"

namespace cupel {

// Graph g is a ring (label 0) or a star (label 1) of 4 to 9 nodes; one in ten has a node without
// edges besides; one in twenty has `tail` times as many. Node attributes: a random number, and the
// number of the node in its graph. Arc attributes: the two ends' attributes multiplied.
inline Dataset rings_and_stars(Index count, Index tail = 1) {
  Stream random(stream_key("rings and stars"), 0);
  Dataset data;
  data.name = "rings-and-stars";
  data.class_names() = {"ring", "star"};
  GraphSet set;
  set.start = {0};
  std::vector<Edge> edges;
  std::vector<float> attributes;
  for (Index g = 0; g < count; ++g) {
    const Index first = set.start.back();
    const auto size = static_cast<Index>(4 + random.next_below(6)) * (g % 20 == 7 ? tail : 1);
    const bool star = random.next_below(2) == 1;
    for (Index i = star ? 1 : 0; i < size; ++i) {
      const Index other = star ? 0 : (i + 1) % size;
      edges.push_back({first + i, first + other});
      edges.push_back({first + other, first + i});
    }
    const Index nodes = size + (g % 10 == 3);
    for (Index i = 0; i < nodes; ++i) {
      attributes.push_back(static_cast<float>(random.next_normal()));
      attributes.push_back(static_cast<float>(i));
    }
    set.start.push_back(first + nodes);
    data.labels().push_back(star);
  }
  const Index nodes = set.start.back();
  data.adjacency = from_edges(nodes, edges);
  set.node_attributes = Matrix(nodes, 2);
  set.node_attributes.values.assign(attributes.begin(), attributes.end());
  set.arc_attributes = Matrix(static_cast<Index>(data.adjacency.entries()), 1);
  for (Index u = 0; u < nodes; ++u)
    for (Offset e = data.adjacency.row_ptr[u]; e < data.adjacency.row_ptr[u + 1]; ++e)
      set.arc_attributes(static_cast<Index>(e), 0) =
          set.node_attributes(u, 0) * set.node_attributes(data.adjacency.columns[e], 0);
  // One-hot: the node is the first of its graph, or it is not.
  Csr labels;
  labels.rows = nodes;
  labels.cols = 2;
  for (Index g = 0; g < count; ++g)
    for (Index v = set.start[g]; v < set.start[g + 1]; ++v) {
      labels.columns.push_back(v == set.start[g] ? 0 : 1);
      labels.row_ptr.push_back(v + 1);
    }
  data.features = std::move(labels);
  data.graphs = std::move(set);
  return data;
}

// Every fifth graph is for validation, the next for test.
inline ClassTask rings_and_stars_task(Index count, Index tail = 1) {
  Split split;
  for (Index g = 0; g < count; ++g)
    (g % 5 == 3 ? split.valid : g % 5 == 4 ? split.test : split.train).push_back(g);
  return make_task(std::make_shared<const TaskData>(
                       std::make_shared<const Dataset>(rings_and_stars(count, tail))),
                   split);
}

}  // namespace cupel
