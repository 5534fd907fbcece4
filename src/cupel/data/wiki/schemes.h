// How web addresses begin.
#pragma once

#include <cstddef>
#include <string_view>

namespace cupel {

// The size of the scheme that `text` begins with, in any letter case, or of "//"; 0 if there is
// none: "http://", "mailto:". What begins so is an address to MediaWiki, and no title.
[[nodiscard]] std::size_t scheme_size(std::string_view text);

}  // namespace cupel
