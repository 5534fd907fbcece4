// One recipe from its TOML text.
#pragma once

#include <string_view>

#include "cupel/data/catalog/catalog.h"

namespace cupel {

// Throws Error naming `file`, the line or the key at fault: recipes are read strictly, an unknown
// key is an error.
[[nodiscard]] Recipe parse_recipe(std::string_view file, std::string_view toml);

}  // namespace cupel
