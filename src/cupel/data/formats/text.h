// Text from untrusted files: checked, and made fit for a message.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cupel {

// The characters of a UTF-8 text; nothing if it is not UTF-8 (RFC 3629).
[[nodiscard]] std::optional<std::u32string> decode_utf8(std::string_view text);

// In single quotes and always UTF-8: control characters, and bytes beyond ASCII in a text that is
// not UTF-8, as \xNN. Cut after about 60 bytes with "...".
[[nodiscard]] std::string in_quotes(std::string_view text);

// Without blanks at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

// The float32 nearest to a decimal number, straight from the text: by way of a double, a number
// beside the middle between two floats may go to the wrong one. A sign may stand before it, and
// what is too small for a float32 is 0. Nothing for any other text, nor for what is not finite as a
// float32. Locale-free.
[[nodiscard]] std::optional<float> parse_float32(std::string_view text);

// Whether a decimal number, without a '+' before it, that std::from_chars() says is out of range is
// too large; else it is too small to tell from 0.
[[nodiscard]] bool is_too_large(std::string_view number);

// "'a', 'b', 'c'", at most 12 of them, then "and N more"; "none" for an empty list.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& texts);

}  // namespace cupel
