#include "cupel/base/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cupel/base/visible.h"

namespace cupel {
namespace {

// The character of two or three bytes at `at`, of text that is UTF-8; 0 for any other.
char32_t short_character(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead >= 0xC0 && lead < 0xE0 && at + 1 < text.size())
    return static_cast<char32_t>((lead & 0x1F) << 6 | (byte(1) & 0x3F));
  if (lead >= 0xE0 && lead < 0xF0 && at + 2 < text.size())
    return static_cast<char32_t>((lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F));
  return 0;
}

// Outside ASCII there is text between quotes alone, so that an escape can stand anywhere. Those
// below U+0020 are escaped already; above U+FFFF it takes two.
std::string escaped(std::string text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = short_character(text, at);
    if (c != 0 && is_unseen(c)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
      at += c < 0x800 ? 2 : 3;
    } else if (text[at] == 0x7F) {
      out += "\\u007f";
      ++at;
    } else if (text.compare(at, 3, "\xF3\xA0\x80") == 0 ||
               text.compare(at, 3, "\xF3\xA0\x81") == 0) {
      const unsigned low = (static_cast<unsigned char>(text[at + 2]) & 1u) << 6 |
                           (static_cast<unsigned char>(text[at + 3]) & 0x3Fu);
      out += fmt::format("\\udb40\\u{:04x}", 0xDC00u + low);
      at += 4;
    } else {
      out += text[at++];
    }
  }
  return out;
}

template <class Json>
std::string text_of(const Json& value, int indent) {
  return escaped(value.dump(indent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return text_of(value, indent);
}
std::string json_text(const nlohmann::json& value, int indent) { return text_of(value, indent); }

}  // namespace cupel
