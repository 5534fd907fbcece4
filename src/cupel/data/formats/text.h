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

// "'a', 'b', 'c'", at most 12 of them, then "and N more"; "none" for an empty list.
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& texts);

}  // namespace cupel
