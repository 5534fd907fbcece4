// Lists of names in one text.
#pragma once

#include <string>
#include <vector>

namespace cupel {

// Splits at commas, but keeps "csbm:nodes=5000,seed=3" whole; a backslash before a comma makes it
// one of a name. Throws Error for what was given and has no name in it.
[[nodiscard]] std::vector<std::string> split_list(const std::vector<std::string>& given);
// `name` as split_list() takes it for one name.
[[nodiscard]] std::string listed(const std::string& name);

}  // namespace cupel
