// Which bytes may stand in an XML document in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace cupel {

// The bytes before a last character that is not complete; at most three are behind them.
[[nodiscard]] std::size_t whole_characters(std::string_view text);

// Whether `text` is UTF-8 (RFC 3629) of characters that XML 1.0 allows: no surrogates, no U+FFFE or
// U+FFFF, and of the controls below U+0020 only tab, line feed and carriage return. Many bytes at a
// time (the look-up of Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte",
// 2021); the bytes before `text` are not looked at.
[[nodiscard]] bool are_xml_characters(std::string_view text);

// The same, one after the other.
struct XmlFault {
  std::size_t at;         // bytes before it that are right; the size of the text if all are
  const char* what = "";  // words for a message
};
[[nodiscard]] XmlFault first_fault(std::string_view text);

// Whether XML 1.0 allows the character.
[[nodiscard]] constexpr bool is_xml_character(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0xD800 || (c > 0xDFFF && c < 0xFFFE) || (c > 0xFFFF && c <= 0x10FFFF);
}

}  // namespace cupel
