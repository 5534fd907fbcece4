// What is told of fetching data sets.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/data/fetch/fetch.h"

namespace cupel {

// The recipe of a name. Throws Error for a name that the catalog does not have, with the nearest.
[[nodiscard]] const Recipe& known_recipe(const std::string& name);

[[nodiscard]] std::string fetch_text(const FetchProgress& progress);  // "cora.npz: 1 MB of 4 MB"
// As `cupel fetch --json` prints it.
[[nodiscard]] nlohmann::ordered_json fetched_json(const Recipe& recipe, const FetchedFile& file);

}  // namespace cupel
