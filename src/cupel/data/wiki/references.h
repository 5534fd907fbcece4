// Character references in titles: "&amp;", "&#233;", "&#x2013;".
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// With references decoded as markup/named_characters.h says, put in place of `out`. What stands for
// no character that a text may hold stays as it is, and what was decoded is not decoded again.
// Linear.
void decode_references(std::string_view text, std::string& out);

}  // namespace cupel
