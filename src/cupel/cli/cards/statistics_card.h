// What `stats` prints.
#pragma once

#include <string>

#include "cupel/data/dataset.h"
#include "cupel/data/stats/graph_set_statistics.h"
#include "cupel/data/stats/statistics.h"

namespace cupel::cli {

// For people, each number with its definition in a few words.
[[nodiscard]] std::string statistics_text(const Dataset& dataset, const Statistics& statistics);

// The same of a set of graphs.
[[nodiscard]] std::string graph_set_text(const Dataset& dataset, const GraphSetStatistics& s);

}  // namespace cupel::cli
