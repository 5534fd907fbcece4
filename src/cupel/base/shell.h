// Words of a POSIX shell.
#pragma once

#include <string>

namespace cupel {

// The text as one word, quoted unless it is plain.
[[nodiscard]] std::string shell_quoted(const std::string& text);

// The path as one word, which no program takes for an option.
[[nodiscard]] std::string shell_word(const std::string& path);

}  // namespace cupel
