// What readers of publications share: texts of records made plain, lists taken apart, years.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// What readers say of a file whose first line goes on behind a carriage return.
inline constexpr const char* kCarriageReturns =
    "ends lines with carriage returns alone; save the file with line feeds";

// Titles, abstracts and keywords as plain text: cleaned as names.h says (clean_text), and without
// tags (text_tags.h), encoded ones too. Adds what was done to `mends` (names.h), but for tags.
// Linear. Thread-safe.
void make_plain(std::string& text, unsigned& mends);

// Without blanks, tabs and line ends at both ends.
[[nodiscard]] std::string_view trimmed_text(std::string_view text);

// The parts between `mark`s, trimmed, without the empty ones.
[[nodiscard]] std::vector<std::string_view> list_parts(std::string_view text, char mark);

// Every text once, where it came first. Linear but for a logarithm.
void keep_first(std::vector<std::string>& texts);

// A year of four digits; nothing for any other text.
[[nodiscard]] std::optional<int> year_of(std::string_view text);

}  // namespace cupel
