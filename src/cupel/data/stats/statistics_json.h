// Statistics as JSON, for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "cupel/data/dataset.h"
#include "cupel/data/stats/graph_set_statistics.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {

// One object. The keys that other programs rely on come first, in fixed order; what is undefined is
// null. Nothing in it depends on the clock unless the time budget was used up. Names come from
// files and may be of any bytes: print it with json_text().
[[nodiscard]] nlohmann::ordered_json statistics_json(const Dataset& dataset,
                                                     const Statistics& statistics);
// The same of a set of graphs.
[[nodiscard]] nlohmann::ordered_json statistics_json(const Dataset& dataset,
                                                     const GraphSetStatistics& statistics);

}  // namespace cupel
