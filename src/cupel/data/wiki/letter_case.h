// Capital letters, as titles of pages and names of namespaces have them.
//
// Source: the simple upper-case mappings of the Unicode Character Database 14.0, of all scripts. As
// in Wikimedia's wikis ($wgOverrideUcfirstCharacters), letters whose capital is more than one
// character (sharp s) have none, and neither have Georgian letters, Roman numerals and letters in
// circles; Greek ones with an iota below have that of title case. Safe to call from many threads.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

[[nodiscard]] char32_t upper_case(char32_t letter);

// The letters of ASCII in lower case, all else as it is.
[[nodiscard]] constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] std::string ascii_lower(std::string_view text);

// With the first character in upper case. Bytes that are not UTF-8 stay as they are. `dotted_i`:
// the capital of 'i' has a dot, as in Turkish.
void capitalise(std::string& text, bool dotted_i = false);

// Every character in upper case: texts that differ in case alone become equal. Bytes that are not
// UTF-8 stay as they are. Linear.
[[nodiscard]] std::string fold_case(std::string_view text);
void fold_case(std::string_view text, std::string& out);  // in place of what `out` held

}  // namespace cupel
