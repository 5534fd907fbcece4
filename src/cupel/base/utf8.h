// Characters of UTF-8 texts, one at a time.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

struct Utf8Char {
  char32_t value = 0;
  int bytes = 0;
};
// The character that begins at `at`, and its bytes; a byte that begins none counts alone, as
// U+FFFD. `at` is inside the text. Thread-safe.
[[nodiscard]] Utf8Char utf8_char(std::string_view text, std::size_t at);
// Whether that was a byte that begins none: U+FFFD itself has three.
[[nodiscard]] inline bool is_no_utf8(Utf8Char one) { return one.value == 0xfffd && one.bytes == 1; }

// Whether all of `text` is UTF-8 (RFC 3629); fast where most of it is ASCII.
[[nodiscard]] bool is_utf8(std::string_view text);

// `code` is at most 0x10ffff.
void append_utf8(std::string& out, char32_t code);

}  // namespace cupel
