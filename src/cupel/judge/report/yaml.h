// Texts in YAML.
#pragma once

#include <string>
#include <string_view>

namespace cupel::report {

// In double quotes, one line, whatever it holds: no colon, anchor, tag or line end of a name means
// anything. Of characters that are not seen it has U+FFFD, as printable() does; line ends are
// blanks.
[[nodiscard]] std::string yaml_quoted(std::string_view text);

// A number as all versions of YAML read it: to 1.1, "1e-14" is a text.
[[nodiscard]] std::string yaml_number(double value);

}  // namespace cupel::report
