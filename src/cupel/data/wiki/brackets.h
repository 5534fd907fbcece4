// The targets of "[[...]]" in a wikitext.
#pragma once

#include <string>
#include <string_view>

namespace cupel {

// Finds what MediaWiki's parser takes for a link: "[[", characters that titles may have, then "]]",
// or "|" with a "]]" behind it before the next "[[". So the links in a file's caption are found,
// and a link that is not closed is none. Templates are not expanded: a target with "{{" is none.
// Linear in the text as a whole. The text must stay where it is.
class Brackets {
 public:
  explicit Brackets(std::string_view text);

  // The next target as it stands there, not empty. False at the end.
  bool next(std::string_view& target);

 private:
  std::string_view text_;
  std::size_t at_;  // of the next "[[", or npos
};

// With "%41" decoded, as links are before they are read as titles; `space` holds what was decoded.
[[nodiscard]] std::string_view percent_decoded(std::string_view target, std::string& space);

}  // namespace cupel
