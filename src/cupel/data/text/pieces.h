// The pieces of a text between white space, as Python's str.split() has them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "cupel/data/text/characters.h"

namespace cupel {

// The first byte at or behind `at` that is white space of ASCII or no ASCII; the size if there is
// none. Eight bytes at once.
[[nodiscard]] inline std::size_t next_not_plain(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kTops = 0x80 * kOnes;
  if constexpr (std::endian::native == std::endian::little) {
    for (; text.size() - at >= 8; at += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, text.data() + at, 8);
      // The lowest mark is right; a borrow can only set false ones above it.
      const std::uint64_t marks = (((eight - 0x21 * kOnes) & ~eight) | eight) & kTops;
      if (marks != 0) return at + static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    }
  }
  while (at < text.size() && text[at] > ' ' && is_ascii(text[at])) ++at;
  return at;
}

template <class Put>
void for_each_piece(std::string_view text, Put put) {
  std::size_t from = 0;
  for (std::size_t at = 0; (at = next_not_plain(text, at)) < text.size();) {
    const Character c = text[at] == ' ' ? Character{' ', 1} : character_at(text, at);
    if (is_space(c.code)) {
      if (at > from) put(text.substr(from, at - from));
      from = at + c.size;
    }
    at += c.size;
  }
  if (text.size() > from) put(text.substr(from));
}

}  // namespace cupel
