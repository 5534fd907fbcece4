// How the edges of a simple undirected graph relate to classes.
#pragma once

#include <optional>
#include <span>

#include "cupel/data/stats/simple_graph.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

// `labels` by the graph's own numbering is labels[graph.original()[v]], in [0, classes). Time and
// memory are linear in nodes, edges and classes. None if `labels` is empty and the graph is not.
[[nodiscard]] std::optional<LabelStatistics> label_statistics(const SimpleGraph& graph,
                                                              std::span<const Index> labels,
                                                              Index classes, Threads threads);

}  // namespace cupel
