// The trials of searches that a store holds, as text and as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cupel/lab/store/store.h"

namespace cupel::cli {

// Best first within each model and data set; "" if there are none. Ends with a newline.
[[nodiscard]] std::string trials_text(const Store& store);
// All of them.
[[nodiscard]] nlohmann::ordered_json trials_json(const Store& store);

}  // namespace cupel::cli
