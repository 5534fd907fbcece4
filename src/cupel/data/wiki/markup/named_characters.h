// Character references of HTML: "&amp;", "&eacute;", "&#233;", "&#x2013;".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cupel::markup {

// What the reference stands for that begins with the '&' at text[at] is appended to `out`, as
// browsers show it: the names of HTML 5, numbers of characters that a text may hold, and Windows
// 1252 for 0x80 to 0x9f. The no-break space is given as a plain blank. Returns the bytes it took;
// 0, and nothing appended, where none begins there. Looks at 40 bytes at most.
[[nodiscard]] std::size_t append_reference(std::string_view text, std::size_t at, std::string& out);

}  // namespace cupel::markup
