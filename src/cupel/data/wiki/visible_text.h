// Wikitext to what a reader of the page sees.
//
// Source: MediaWiki's documented rules (mediawiki.org: Help:Formatting, Help:Links, Help:Tables,
// Help:Lists, Parser extension tags, Preprocessor ABNF, Writing systems/Syntax). Templates are not
// expanded but left out.
#pragma once

#include <string>
#include <string_view>

#include "cupel/data/wiki/wikitext_rules.h"

namespace cupel {

// Leave: comments, templates, parser functions and template arguments, references, tables (by the
// rules: or their cells stay, a line each), files with their captions, categories, links to the
// page in other languages, formulas, galleries, scores, timelines, program listings
// (<syntaxhighlight>, <source>), behaviour switches, bare external links in brackets.
// Stay: labels of links, targets of links without one, headings, items of lists, the text inside
// HTML tags, <nowiki> and <pre> as they are, the first text of -{...}-. References to characters
// are decoded, "&nbsp;" as a plain blank; so are quotes, with MediaWiki's rule for a lone
// apostrophe before them.
//
// Each paragraph, item, heading, or line of the source is a line. Lines are trimmed and not empty,
// blanks and tabs between words are one blank; other white space stays.
//
// Nothing is refused. What is not closed is text, as MediaWiki has it, but for markup that can only
// be a slip: the target of a link that is never closed leaves, and so do rows of a table whose
// beginning came from a template. Of braces, links and tables opened inside each other the
// innermost 4,096 at least are remembered.
//
// UTF-8 in, UTF-8 out; controls that XML forbids are left out. The result has at most 6 bytes for 5
// of the text. Linear in time, nothing recursive; memory up to eight times the text.
// Safe to call from many threads.
[[nodiscard]] std::string visible_text(std::string_view wikitext, const WikitextRules& rules);

}  // namespace cupel
