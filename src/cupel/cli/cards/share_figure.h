// The figure that `stats --svg` writes.
#pragma once

#include <string>

#include "cupel/data/stats/statistics.h"

namespace cupel::cli {

// A histogram of nodes by their share of same-class neighbours as in figure 2 of Mernyei and Cangea
// 2020: 25 bars, a self-loop counts as a neighbour, heights are shares of the nodes that have a
// neighbour, and the mean is marked. Self-contained SVG, for light and dark pages; a pure function
// of its input. Requires at least one node with a share.
[[nodiscard]] std::string share_figure(const std::string& name, const LabelStatistics& labels);

}  // namespace cupel::cli
