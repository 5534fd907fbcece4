// Distances from one node, by breadth-first search on all cores.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/data/stats/simple_graph.h"

namespace cupel {

// Searches one source after the other in the same space: 8 bytes per node and two bits.
// Goes from the frontier outwards or, where that is cheaper, from the nodes not reached yet inwards
// (S. Beamer, K. Asanovic and D. Patterson, "Direction-optimizing breadth-first search", SC 2012).
// Use by one thread at a time.
class Bfs {
 public:
  Bfs(const SimpleGraph& graph, Threads threads);

  // The largest distance from `source`, which must have a neighbour.
  Index run(Index source);
  // Of the last search, per connected node: -1 for one that cannot be reached.
  const std::vector<Index>& distance() const { return distance_; }

 private:
  void step_outwards(Index level);
  void step_inwards(Index level);
  void bits_of_frontier();
  void frontier_of_bits();

  const SimpleGraph& graph_;
  const Threads threads_;
  std::vector<Index> distance_, frontier_, next_;
  std::vector<std::uint64_t> bits_, next_bits_;
  Offset frontier_entries_ = 0;  // of the nodes in the frontier
  std::int64_t frontier_nodes_ = 0;
};

}  // namespace cupel
