// Triangles of a simple undirected graph, exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cupel/data/stats/simple_graph.h"

namespace cupel {

struct Clustering {
  std::uint64_t triangles = 0;
  std::optional<double> global, average_local;  // as in statistics.h
};

// O(m^1.5) time at most; 8 bytes per node and 8 more per node and thread.
[[nodiscard]] Clustering clustering(const SimpleGraph& graph, Threads threads);

// Triangles that each node is in, by the graph's own numbering: of connected_nodes() ones, the
// others have none. Time and memory as above.
[[nodiscard]] std::vector<std::uint64_t> triangles_of_nodes(const SimpleGraph& graph,
                                                            Threads threads);

}  // namespace cupel
