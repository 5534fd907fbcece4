// Statistics of whatever data set, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cupel/base/parallel.h"
#include "cupel/data/dataset.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

struct StatisticsRequest {
  int threads = available_processors();  // more than there are gain nothing
  double seconds = StatisticsOptions{}.seconds;
  std::uint64_t seed = 0;
  bool drop_outliers = false;  // of a set of graphs
};

// As `cupel stats --json` prints it: of a graph, a set of graphs, or facts over time in the parts
// of their source. Throws Error for drop_outliers of what is no set, and for facts without parts.
[[nodiscard]] nlohmann::ordered_json statistics_of(const Dataset& dataset,
                                                   const StatisticsRequest& request = {});

}  // namespace cupel
