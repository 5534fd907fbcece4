// Text that shows what is in it, and does nothing else to whoever displays it.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// `text` with every character that could steer a terminal or turn the order of its letters written
// out: control characters but line ends and tabs, DEL and the C1 controls, marks that change the
// direction of writing, separators and fillers without a width, and bytes that are not UTF-8.
// "\x1b" stands for one byte, "\u202e" for a character. All other text stays as it is, and so does
// what was written out before. Linear in its length.
[[nodiscard]] std::string visible(std::string_view text);

// The same in one line: line ends and tabs are written out too, as "\n" and "\t".
[[nodiscard]] std::string visible_line(std::string_view text);

// For pages and tables: one line, in which line ends and tabs are blanks, and U+FFFD stands for
// each character that visible() writes out.
[[nodiscard]] std::string printable(std::string_view text);

// Whether `c` is such a character; for writers with an escape of their own.
[[nodiscard]] bool is_unseen(char32_t c);

}  // namespace cupel
