// Protocols that a program says, such as a dict of Python: there is no file to name.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// A line of their texts. As a comment it does not enter the version.
inline constexpr std::string_view kOfProgram = "# Said by a program: there need not be a file.\n";

// Whether a text, as a store keeps it, is of such a protocol.
[[nodiscard]] inline bool is_of_program(const std::string& text) {
  return text.starts_with(kOfProgram) || text.find("\n" + std::string(kOfProgram)) != text.npos;
}

}  // namespace cupel
