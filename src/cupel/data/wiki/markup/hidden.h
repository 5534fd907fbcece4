// The first step from wikitext to visible text: what MediaWiki's preprocessor takes out.
#pragma once

#include <string>
#include <string_view>

namespace cupel::markup {

// The text without comments, templates and their arguments, hidden extensions' tags with their
// content, and controls; <nowiki> and <pre> as literal characters (marks.h). An extension's tag
// that is not closed leaves alone; braces that are not closed stay; a comment that is not closed
// ends with the text.
[[nodiscard]] std::string without_hidden(std::string_view wikitext);

}  // namespace cupel::markup
