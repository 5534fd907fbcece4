// Letters as LaTeX writes them: \"{o}, \'e, {\o}, \v{s}, \ss.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cupel {

// What the command stands for that begins with the backslash at text[at] is appended to `out`: an
// accented letter, composed where Unicode has it so, with two accents, too (\~{\^e}), a letter of
// its own (\o, \l, \ae), or a character that is escaped (\&, and the apostrophe of O\'Brien, since
// Unicode has no B with an accent). Returns the bytes it took, closing brace and the blank that
// ends a command among them; 0, and nothing appended, where none of these begins there.
// Thread-safe.
[[nodiscard]] std::size_t append_latex(std::string_view text, std::size_t at, std::string& out);

}  // namespace cupel
