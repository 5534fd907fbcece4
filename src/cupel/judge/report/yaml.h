// Texts in YAML.
#pragma once

#include <string>
#include <string_view>

namespace cupel::report {

// In double quotes, one line, whatever it holds: no colon, anchor, tag or line end of a name means
// anything. Of characters that are not seen it has U+FFFD, as printable() does; line ends are
// blanks.
[[nodiscard]] std::string yaml_quoted(std::string_view text);

}  // namespace cupel::report
