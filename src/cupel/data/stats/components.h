// Connected components of a simple undirected graph, on all cores.
#pragma once

#include <vector>

#include "cupel/data/stats/simple_graph.h"

namespace cupel {

struct ComponentSizes {
  Index count = 0;
  Index largest = 0;          // nodes of the largest
  std::vector<Index> root;    // per node: the smallest id of its component
  Index root_of_largest = 0;  // among equals the one with the first node as stored
};

// 4 bytes per node. Near-linear time; most edges of a large component are never looked at.
// M. Sutton, T. Ben-Nun and A. Barak, "Optimizing parallel graph connectivity computation via
// subgraph sampling", IPDPS 2018 (Afforest).
[[nodiscard]] ComponentSizes component_sizes(const SimpleGraph& graph, Threads threads);

}  // namespace cupel
