// Diameter and mean distance of the largest component, and the mean distance of all pairs that a
// path joins, within a time budget.
#pragma once

#include <functional>
#include <optional>

#include "cupel/data/stats/components.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

struct Distances {
  std::optional<Diameter> diameter;
  std::optional<AveragePath> average_path;
  std::optional<AveragePath> average_path_reachable;
  std::uint64_t reachable_pairs = 0;
};

// At most half of the budget goes into the diameter; what is left, into the mean distance. All
// sources are searched if that is likely to fit into the budget, judged by the size of the graph
// and not by the clock; else a random sample of them. The first search for either is always
// finished: from one node, or from up to 64 or 512 of them together.
//
// The diameter is narrowed from both sides: a search from v with eccentricity e says of each node w
// that max(d(v,w), e - d(v,w)) <= ecc(w) <= e + d(v,w), and nodes that cannot exceed the largest
// eccentricity found need no search of their own (F. Takes and W. Kosters, "Determining the
// diameter of small world networks", CIKM 2011). Where single searches no longer rule out much, the
// nodes that are left are searched 64 or 512 at a time.
//
// diameter_done() is called between the two.
//
// Distances within the other components come after those of the largest (other_components.h). Both
// means are put together by their numbers of pairs, and so are the variances of estimates.
//
// 16 bytes per connected node, and while many sources are searched together 24 or 192 more.
[[nodiscard]] Distances distances(const SimpleGraph& graph, const ComponentSizes& components,
                                  const StatisticsOptions& options,
                                  const std::function<void()>& diameter_done);

}  // namespace cupel
