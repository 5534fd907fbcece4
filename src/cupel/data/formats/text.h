// Text from untrusted files, made fit for a message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// In single quotes, control characters as \xNN, cut after 60 bytes with "...".
[[nodiscard]] std::string in_quotes(std::string_view text);

// "'a', 'b', 'c'", at most 12 of them, then "and N more"; "none" for an empty list.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& texts);

}  // namespace cupel
