// What Python's `re` and `str` know of characters, over UTF-8.
//
// Unicode 14 (Python 3.11). A byte that belongs to no UTF-8 character counts as a character without
// properties. All functions are thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

[[nodiscard]] inline bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

struct Character {
  char32_t code = 0;
  std::size_t size = 1;  // in bytes
};
inline constexpr char32_t kNoCharacter = 0x110000;  // the code of a byte that is none

// Requires at < text.size().
[[nodiscard]] Character character_at(std::string_view text, std::size_t at);
// The character that ends before `at`. Requires 0 < at <= text.size().
[[nodiscard]] Character character_before(std::string_view text, std::size_t at);

[[nodiscard]] bool is_space(char32_t code);    // \s, str.isspace()
[[nodiscard]] bool is_word(char32_t code);     // \w
[[nodiscard]] bool is_decimal(char32_t code);  // \d
[[nodiscard]] bool is_upper(char32_t code);    // str.isupper()
[[nodiscard]] bool is_lower(char32_t code);    // str.islower()
[[nodiscard]] bool is_mark(char32_t code);     // unicodedata.category(): Mn or Mc

// Bytes of the space at the head of text[at...], 0 if there is none.
[[nodiscard]] std::size_t space_at(std::string_view text, std::size_t at);
// Bytes of the space that ends before `at`, 0 if there is none.
[[nodiscard]] std::size_t space_before(std::string_view text, std::size_t at);

// Makes the head of a text lower case, up to the first byte beyond ASCII, whose place it returns.
std::size_t lower_ascii(char* text, std::size_t size);
// Appends str.lower() of the text: every character's own mapping, U+0130's two characters, and the
// two small letters of a capital sigma.
void append_lower(std::string_view text, std::string& out);

}  // namespace cupel
