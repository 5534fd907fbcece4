// Lines of arcs to simple undirected graphs.
#pragma once

#include <span>
#include <vector>

#include "cupel/data/graph/graph.h"

namespace cupel::tu {

struct SimpleGraph {
  Csr adjacency;  // a symmetric pattern without self-loops
  // Per entry (i, j): the first arc given as i -> j, else the first given as j -> i. Empty unless
  // asked for.
  std::vector<Index> origin;
  Offset repeats = 0;  // arcs given before, in the same direction
  Offset loops = 0;    // arcs from a node to itself, left out
};

// Linear time: entries are sorted by counting. `arcs` are numbered as they stand there.
[[nodiscard]] SimpleGraph simple_graph(Index nodes, std::span<const Edge> arcs, bool with_origin);

// The same for a set of graphs whose arcs come one by one. Graph g has the nodes [start[g],
// start[g + 1]). Where arcs come graph after graph, as in all released files, graphs are finished
// some thousand arcs at a time, which stay in cache; else everything is kept to the end.
class GraphsBuilder {
 public:
  enum class Order { kByGraph, kAny };

  // `start` must outlive the builder.
  GraphsBuilder(std::span<const Index> start, bool with_origin, Order order);

  // The arc joins nodes of `graph`. False if the arcs turn out not to come by graph although that
  // was said: the builder is then of no use.
  bool add(Index graph, Edge arc) {
    if (graph != current_ && !move_to(graph)) return false;
    arcs_.push_back(arc);
    return true;
  }
  // Makes room for about so many times the entries that are there.
  void expect(double factor);
  Offset finished_arcs() const { return finished_arcs_; }

  [[nodiscard]] SimpleGraph finish();

 private:
  bool move_to(Index graph);
  void finish_up_to(Index graph);  // excluding

  std::span<const Index> start_;
  bool with_origin_;
  Order order_;
  Index current_ = -1;      // graph of the last arc
  Index first_ = 0;         // graphs before are finished
  Index last_ = -1;         // largest graph so far
  std::vector<Edge> arcs_;  // of unfinished graphs
  Offset finished_arcs_ = 0;
  SimpleGraph out_;
};

}  // namespace cupel::tu
