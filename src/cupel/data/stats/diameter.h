// Bounds of the diameter of one component, narrowed until they meet or time is up.
#pragma once

#include <functional>

#include "cupel/data/stats/components.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

// Of the largest component, which has at least two nodes. stop() is asked after each search; the
// first one is always done. See distances.h.
[[nodiscard]] Diameter diameter_bounds(const SimpleGraph& graph, const ComponentSizes& components,
                                       Threads threads, const std::function<bool()>& stop);

}  // namespace cupel
