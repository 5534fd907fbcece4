#include "cupel/data/formats/text.h"

#include <fmt/format.h>

namespace cupel {

std::optional<std::u32string> decode_utf8(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    std::size_t size = 1;
    char32_t code = lead, least = 0;
    if (lead >= 0xf0 && lead < 0xf8) {
      size = 4, code = lead & 0x07u, least = 0x10000;
    } else if (lead >= 0xe0) {
      size = 3, code = lead & 0x0fu, least = 0x800;
    } else if (lead >= 0xc0) {
      size = 2, code = lead & 0x1fu, least = 0x80;
    } else if (lead >= 0x80) {
      return std::nullopt;
    }
    if (lead >= 0xf8 || size > text.size() - at) return std::nullopt;
    for (std::size_t k = 1; k < size; ++k) {
      const auto byte = static_cast<unsigned char>(text[at + k]);
      if (byte >> 6 != 2) return std::nullopt;
      code = code << 6 | (byte & 0x3fu);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (code < least || code > 0x10ffff || surrogate) return std::nullopt;
    out += code;
    at += size;
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  const bool utf8 = decode_utf8(text).has_value();
  std::string out = "'";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool continues = utf8 && byte >> 6 == 2;
    if (at >= kLongest && !continues) return out + "...'";
    if (byte < 0x20 || byte == 0x7f || (!utf8 && byte >= 0x80)) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += text[at];
    }
  }
  return out + "'";
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
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
