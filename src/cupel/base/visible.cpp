#include "cupel/base/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

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

// A character of UTF-8 text and its length in bytes; length 0 where the bytes are none.
struct Character {
  char32_t value = 0;
  std::size_t length = 0;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - at < length) return {};
  char32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t kShortest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kShortest[length] || surrogate || value > 0x10FFFF) return {};
  return {value, length};
}

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
    const Character c = character_at(text, at);
    if (c.length == 0)
      out += unseen(static_cast<unsigned char>(text[at]), true);
    else if (text[at] == '\n' || text[at] == '\t' || text[at] == '\r')
      out += blank(text[at]);
    else if (is_unseen(c.value))
      out += unseen(c.value, false);
    else
      out += text.substr(at, c.length);
    at += std::max<std::size_t>(c.length, 1);
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
