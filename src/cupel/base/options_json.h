// Settings as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "cupel/base/options.h"

namespace cupel {

[[nodiscard]] nlohmann::ordered_json to_json(const OptionValue& value);
// Name, default, doc and, where there are some, range and choices of each.
[[nodiscard]] nlohmann::ordered_json settings_json(const std::vector<OptionSpec>& specs);

}  // namespace cupel
