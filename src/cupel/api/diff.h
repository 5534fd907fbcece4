// Two stores against each other, or two runs of one, as commands and the Python module tell it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/lab/verify/store_diff.h"

namespace cupel {

// As `cupel diff --json` prints it; `a` and `b` are the stores as they were named. "holds" is
// StoreDiff::holds(); what is not said in one of two places is null there.
[[nodiscard]] nlohmann::ordered_json store_diff_json(const StoreDiff& diff, const std::string& a,
                                                     const std::string& b);
[[nodiscard]] nlohmann::ordered_json run_diff_json(const RunDiff& diff);

}  // namespace cupel
