// A table of TOML++ as the text of a file.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace cupel {

// Without the comments and the spelling of what was parsed.
[[nodiscard]] std::string toml_text(const toml::table& table);

}  // namespace cupel
