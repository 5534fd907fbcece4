#include "cupel/base/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "cupel/base/utf8.h"

namespace cupel {
namespace {

struct Range {
  char32_t first, last;
};

constexpr Range kUnseen[] = {
    {0x00, 0x1F},        // controls
    {0x7F, 0x9F},        // DEL, C1 controls
    {0xAD, 0xAD},        // soft hyphen
    {0x061C, 0x061C},    // Arabic letter mark
    {0x180E, 0x180E},    // Mongolian vowel separator
    {0x200B, 0x200B},    // zero width space
    {0x200E, 0x200F},    // marks of direction
    {0x2028, 0x202E},    // line and paragraph separator, embeddings and overrides
    {0x2060, 0x206F},    // word joiner, isolates, deprecated marks
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFF9, 0xFFFB},    // interlinear annotation
    {0xE0000, 0xE007F},  // tags
};

std::string written_out(char32_t c, bool byte) {
  const auto value = static_cast<std::uint32_t>(c);
  if (byte || value < 0x80) return fmt::format("\\x{:02x}", value);
  return value < 0x10000 ? fmt::format("\\u{:04x}", value) : fmt::format("\\U{:08x}", value);
}

// Line ends and tabs by `blank`, what is unseen by `unseen`: a character, or a byte that is in
// none.
template <class Blank, class Unseen>
std::string rewritten(std::string_view text, const Blank& blank, const Unseen& unseen) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char c = utf8_char(text, at);
    const auto bytes = static_cast<std::size_t>(c.bytes);
    if (is_no_utf8(c))
      out += unseen(static_cast<unsigned char>(text[at]), true);
    else if (text[at] == '\n' || text[at] == '\t' || text[at] == '\r')
      out += blank(text[at]);
    else if (is_unseen(c.value))
      out += unseen(c.value, false);
    else
      out += text.substr(at, bytes);
    at += bytes;
  }
  return out;
}

}  // namespace

bool is_unseen(char32_t c) {
  return std::any_of(std::begin(kUnseen), std::end(kUnseen),
                     [&](const Range& range) { return c >= range.first && c <= range.last; });
}

std::string visible(std::string_view text) {
  const auto blank = [](char c) { return c == '\r' ? std::string("\\r") : std::string(1, c); };
  return rewritten(text, blank, written_out);
}

std::string visible_line(std::string_view text) {
  const auto blank = [](char c) { return c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r"; };
  return rewritten(text, blank, written_out);
}

std::string printable(std::string_view text) {
  const auto blank = [](char) { return ' '; };
  const auto unseen = [](char32_t, bool) { return "\xEF\xBF\xBD"; };
  return rewritten(text, blank, unseen);
}

}  // namespace cupel
