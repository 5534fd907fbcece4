// How well merged entities agree with gold, as text.
#pragma once

#include <string>

#include "cupel/api/resolve.h"

namespace cupel::cli {

[[nodiscard]] std::string resolve_scores_text(const ResolveScores& found);

}  // namespace cupel::cli
