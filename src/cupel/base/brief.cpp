#include "cupel/base/brief.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace cupel {

std::vector<std::string> pieces_of(std::string_view text, char at) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == at) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

std::string brief(std::string_view message) {
  const std::vector<std::string> lines = pieces_of(message, '\n');
  std::size_t found = 0;
  bool exception = false;  // the next line that is not indented is one
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const bool word =
        std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
    if (line.starts_with("Traceback (most recent call last)")) {
      exception = true;
    } else if (exception && word && line.front() != ' ') {
      // What is printed later is no part of it, unless it is another traceback.
      const auto rest = lines.begin() + static_cast<std::ptrdiff_t>(i);
      const bool more = std::any_of(rest, lines.end(), [](const std::string& later) {
        return later.starts_with("Traceback (most recent call last)");
      });
      exception = false;
      found = i;
      if (!more) break;
    } else if (word) {
      found = i;
    }
  }
  if (found == 0) return lines[0];
  const std::size_t begin = lines[found].find_first_not_of(' ');
  return fmt::format("{}{}{}", lines[0], lines[0].ends_with(':') ? " " : " ... ",
                     lines[found].substr(begin));
}

}  // namespace cupel
