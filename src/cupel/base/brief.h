// Messages of several lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// What stands between the characters `at`, empty pieces too: one piece at least.
[[nodiscard]] std::vector<std::string> pieces_of(std::string_view text, char at);

// A message of several lines in one: its first line, and the line that matters most of what
// follows: of a Python traceback the exception, else the last one with a word in it.
[[nodiscard]] std::string brief(std::string_view message);

}  // namespace cupel
