#include "cupel/data/formats/text.h"

#include <fmt/format.h>

namespace cupel {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "'";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  if (text.size() > kLongest) out += "...";
  return out + "'";
}

std::string quoted_list(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 12;
  if (texts.empty()) return "none";
  std::string out;
  for (std::size_t i = 0; i < texts.size() && i < kMost; ++i) {
    if (i > 0) out += ", ";
    out += in_quotes(texts[i]);
  }
  if (texts.size() > kMost) out += fmt::format(" and {} more", texts.size() - kMost);
  return out;
}

}  // namespace cupel
