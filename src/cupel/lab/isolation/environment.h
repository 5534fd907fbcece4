// What of our environment a program gets.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cupel {

// The variables of this process that are on the list of docs/protocols.md ("What a program sees"),
// as NAME=VALUE, and what is missing of `own`. Nothing else: $CUPEL_DATA leads to the labels, and
// others hold passwords.
[[nodiscard]] std::vector<std::string> program_environment(
    const std::vector<std::pair<std::string, std::string>>& own);

}  // namespace cupel
