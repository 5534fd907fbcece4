// The parts of a wikitext in which brackets are no links.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// `wikitext` without comments (one that is not closed reaches to the end) and without what stands
// between the tags of nowiki, pre, math and other extensions whose text is no wikitext, and of
// includeonly, which does not concern the page itself. Letter case of tags does not matter. Where
// an element was, "\x7f" is, which no title holds. A tag without its closing tag is text, as in
// MediaWiki, but for includeonly, which reaches to the end.
//
// Gives `wikitext` itself where nothing is hidden; else the rest is in `space`. Linear.
[[nodiscard]] std::string_view without_hidden(std::string_view wikitext, std::string& space);

}  // namespace cupel
