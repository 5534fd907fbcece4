// What Unicode says of letters and their marks: what NFC needs, and folding.
#pragma once

#include <cstdint>
#include <span>

namespace cupel {

// Unicode 14, as Python 3.11's unicodedata. Hangul syllables are not among them: they have their
// parts by arithmetic.
struct LetterParts {
  char32_t whole, first, second;  // `second` is 0 where there is but one part
  bool composes;                  // the parts become the whole again
};

// Every character that has parts. Thread-safe, as the two below.
[[nodiscard]] std::span<const LetterParts> letter_parts();
// Those of one character; null if it has none. Constant time.
[[nodiscard]] const LetterParts* letter_parts_of(char32_t code);
// 0: a letter of its own, no mark. Logarithmic.
[[nodiscard]] std::uint8_t combining_class(char32_t code);

}  // namespace cupel
