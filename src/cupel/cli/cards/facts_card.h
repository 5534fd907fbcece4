// Statistics of temporal facts for people.
#pragma once

#include <string>

#include "cupel/data/facts/facts_statistics.h"

namespace cupel::cli {

[[nodiscard]] std::string facts_text(const std::string& name, const FactsStatistics& statistics);

}  // namespace cupel::cli
