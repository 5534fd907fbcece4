// What stands in a text between the steps from wikitext to visible text. Controls in the wikitext
// itself are removed first, so these bytes are ours.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace cupel::markup {

// The next byte is a character that means nothing but itself; its upper bit is set so that no
// step takes it for markup.
inline constexpr char kLiteral = '\x01';
inline constexpr char kHighBit = '\x80';
// Nothing; parts what stands before it from what follows.
inline constexpr char kNothing = '\x02';

// Tells some bytes from others.
struct ByteSet {
  std::array<bool, 256> in{};
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) in[static_cast<unsigned char>(c)] = true;
  }
  [[nodiscard]] constexpr bool has(char c) const { return in[static_cast<unsigned char>(c)]; }

  // The first byte of the set from `at` on; the size of the text if there is none.
  [[nodiscard]] std::size_t find(std::string_view text, std::size_t at) const {
    const char* p = text.data() + at;
    const char* const end = text.data() + text.size();
    for (; end - p >= 4; p += 4) {
      if (has(p[0])) return static_cast<std::size_t>(p - text.data());
      if (has(p[1])) return static_cast<std::size_t>(p + 1 - text.data());
      if (has(p[2])) return static_cast<std::size_t>(p + 2 - text.data());
      if (has(p[3])) return static_cast<std::size_t>(p + 3 - text.data());
    }
    while (p != end && !has(*p)) ++p;
    return static_cast<std::size_t>(p - text.data());
  }
};

// The first place from `at` on that has not `c`.
inline std::size_t run_end(std::string_view text, std::size_t at, char c) {
  while (at < text.size() && text[at] == c) ++at;
  return at;
}

inline std::size_t line_end(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end;
}

inline bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// What is open: the innermost ones, at least kMost. Where there are more, the outermost are
// forgotten.
inline constexpr std::size_t kMostOpen = 4096;

}  // namespace cupel::markup
