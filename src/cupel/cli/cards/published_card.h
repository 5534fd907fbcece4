// Counts of facts over time beside the published ones, to be read.
#pragma once

#include <string>

#include "cupel/api/published_counts.h"

namespace cupel::cli {

[[nodiscard]] std::string published_text(const PublishedComparison& comparison);

}  // namespace cupel::cli
