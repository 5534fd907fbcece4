#include "cupel/data/formats/json_pieces.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>

#include "cupel/base/visible.h"
#include "cupel/data/text/characters.h"

namespace cupel {
namespace {

template <class Real>
std::string_view shortest(Real value, char (&buffer)[64]) {
  // repr() changes to exponents at these bounds.
  const auto size = std::abs(static_cast<double>(value));
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto [end, unused] =
      std::to_chars(buffer, buffer + sizeof buffer, value,
                    plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {buffer, static_cast<std::size_t>(end - buffer)};
}

template <class Real>
void append_shortest(std::string& out, Real value) {
  char buffer[64];
  const std::string_view digits = shortest(value, buffer);
  out += digits;
  if (digits.find_first_of(".e") == std::string_view::npos) out += ".0";
}

}  // namespace

void append_json_number(std::string& out, double value) { append_shortest(out, value); }

void append_json_number(std::string& out, float value) {
  const std::size_t begin = out.size();
  append_shortest(out, value);
  // The nearest double may lie half-way between two floats, and then goes to the other one.
  double read = 0;
  std::from_chars(out.data() + begin, out.data() + out.size(), read);
  if (static_cast<float>(read) == value) return;
  out.resize(begin);
  append_shortest(out, static_cast<double>(value));
}

void append_json_text(std::string& out, std::string_view text) {
  const auto escape = [&](std::uint32_t unit) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", unit);
  };
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\\') out += '\\';
    if (c >= ' ' && c < 0x7F) {
      out += c;
      ++at;
      continue;
    }
    const Character one = character_at(text, at);
    at += one.size;
    if (one.code == kNoCharacter) {
      out += "\xEF\xBF\xBD";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (!is_unseen(one.code)) {
      out += text.substr(at - one.size, one.size);
    } else if (one.code < 0x10000) {
      escape(static_cast<std::uint32_t>(one.code));
    } else {
      escape(static_cast<std::uint32_t>(0xD800 + ((one.code - 0x10000) >> 10)));
      escape(static_cast<std::uint32_t>(0xDC00 + ((one.code - 0x10000) & 0x3FF)));
    }
  }
  out += '"';
}

}  // namespace cupel
