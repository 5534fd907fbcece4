// Statistics of temporal facts for people.
#pragma once

#include <string>

#include "cupel/data/facts/facts_statistics.h"

namespace cupel::cli {

// `time_unit`: TemporalFacts::time_unit.
[[nodiscard]] std::string facts_text(const std::string& name, const std::string& time_unit,
                                     const FactsStatistics& statistics);

// A row for each cut and relation.
[[nodiscard]] std::string complexity_over_time_text(const std::vector<std::string>& relations,
                                                    const std::vector<CutComplexity>& cuts);

}  // namespace cupel::cli
