// Statistics of temporal facts for people.
#pragma once

#include <string>

#include "cupel/data/facts/facts_statistics.h"

namespace cupel::cli {

[[nodiscard]] std::string facts_text(const std::string& name, const FactsStatistics& statistics);

// A row for each cut and relation.
[[nodiscard]] std::string complexity_over_time_text(const std::vector<std::string>& relations,
                                                    const std::vector<CutComplexity>& cuts);

}  // namespace cupel::cli
