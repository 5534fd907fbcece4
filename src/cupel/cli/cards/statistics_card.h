// What `stats` prints.
#pragma once

#include <string>

#include "cupel/data/dataset.h"
#include "cupel/data/stats/graph_set_statistics.h"
#include "cupel/data/stats/statistics.h"

namespace cupel::cli {

// One object. The keys that other programs rely on come first, in fixed order; what is undefined is
// null. Nothing in it depends on the clock unless the time budget was used up.
[[nodiscard]] std::string statistics_json(const Dataset& dataset, const Statistics& statistics);

// The same for people, each number with its definition in a few words.
[[nodiscard]] std::string statistics_text(const Dataset& dataset, const Statistics& statistics);

// The same two of a set of graphs.
[[nodiscard]] std::string graph_set_json(const Dataset& dataset, const GraphSetStatistics& s);
[[nodiscard]] std::string graph_set_text(const Dataset& dataset, const GraphSetStatistics& s);

}  // namespace cupel::cli
