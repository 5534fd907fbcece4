// What the character data and the attributes of an XML document stand for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cupel/data/wiki/text_buffer.h"

namespace cupel {

// Appends what `run` stands for: references to the five named characters and to numbered ones are
// replaced, and line ends are line feeds. `run` has no '<' and ends before one, or, unless `whole`,
// anywhere between two characters. Returns the bytes that were read; the others, as few as
// possible, are to be given again with those that follow. Throws XmlProblem where it is not
// well-formed; `offset` is that of the run.
std::size_t append_text(std::string_view run, bool whole, std::uint64_t offset, TextBuffer& out);

// The same of a CDATA section, without what ends it.
std::size_t append_literal(std::string_view run, bool whole, TextBuffer& out);

// The value of an attribute: references are replaced, and tabs and line ends are blanks.
void decode_attribute(std::string_view raw, std::uint64_t offset, std::string& out);

[[nodiscard]] constexpr bool is_xml_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// Whether a name may begin so; all bytes beyond ASCII count.
[[nodiscard]] constexpr bool begins_name(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || c == '_' || c == ':' || c < 0;
}

}  // namespace cupel
