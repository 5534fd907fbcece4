#include "cupel/base/json_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "cupel/base/utf8.h"
#include "cupel/base/visible.h"

namespace cupel {
namespace {

// Outside ASCII there is text between quotes alone, so that an escape can stand anywhere. Those
// below U+0020 are escaped already; above U+FFFF it takes two.
std::string escaped(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char c = utf8_char(text, at);
    const auto bytes = static_cast<std::size_t>(c.bytes);
    const auto value = static_cast<std::uint32_t>(c.value);
    if (value < 0x7F || !is_unseen(c.value))
      out.append(text, at, bytes);
    else if (value < 0x10000)
      out += fmt::format("\\u{:04x}", value);
    else
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (value >> 10), 0xDC00 + (value & 0x3FF));
    at += bytes;
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
