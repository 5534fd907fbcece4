// Putting a set of graphs together, edge by edge.
#pragma once

#include <string>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/data/dataset.h"
#include "cupel/data/graph/graph.h"

namespace cupel {

// Builds one graph after another; nodes are numbered from 0 in each.
class MadeGraphs {
 public:
  explicit MadeGraphs(std::string where) : where_(std::move(where)) {}

  void new_graph() { start_.push_back(start_.back()); }
  // Adds nodes to the last graph; the number of the first. Throws Error beyond 2^31 nodes.
  Index add_nodes(Index count);
  // Different nodes of the last graph. An edge that is there already stays one.
  void add_edge(Index a, Index b);
  // Every pair of `count` nodes from `first` on is joined with probability p, independently. Time
  // linear in nodes and edges.
  void add_random_edges(Index first, Index count, double p, Stream& stream);

  Index nodes() const { return start_.back() - start_[start_.size() - 2]; }
  // 2 * edges of each graph / its nodes, repeats counted.
  std::vector<double> average_degrees() const;

  // The set: one label per graph, classes "0", "1", ..., every node with the same label. Throws
  // Error if a class has no graph.
  Dataset finish(std::vector<Index> labels, Index classes) &&;

 private:
  std::string where_;
  std::vector<Index> start_ = {0};
  std::vector<Edge> edges_;           // of the union, both directions
  std::vector<std::size_t> arcs_of_;  // per graph
};

}  // namespace cupel
