// The templates that a wikitext calls.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cupel {

// Whether one of these templates is called, by its name in any letter case, with blanks or '_', at
// any depth; not in comments, nowiki and the like. Linear in the text.
[[nodiscard]] bool calls_template(std::string_view wikitext, std::span<const std::string> names);

}  // namespace cupel
