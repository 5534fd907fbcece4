// The categories that a wikitext puts its page into.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/wiki/titles.h"

namespace cupel {

enum class CategoryReading {
  // As MediaWiki reads them: the namespace by any of its names, in any letter case; names as titles
  // are read; nothing in comments, nowiki and the like; "[[:Category:X]]" is a link and no tag.
  // Templates are not expanded: what they add is not seen, and a tag in their arguments counts.
  kMediaWiki,
  // As the tool that made Wiki-CS's released files: "[[Category:" to the letter up to the next
  // "]]", anywhere in the text; cut at the first '|'; without white space at both ends, as Java
  // knows it (no-break spaces are none); otherwise as written. After one without a "]]" nothing
  // more is read.
  kAsReleased,
};

// "mediawiki" or "as-released"; Error names `where`.
[[nodiscard]] CategoryReading parse_category_reading(std::string_view name, std::string_view where);

// Use by one thread at a time. Linear; keeps a copy of a text that hides something.
class CategoryTags {
 public:
  // `names` must outlive it.
  CategoryTags(const WikiNames& names, CategoryReading reading)
      : names_(names), reading_(reading) {}

  // Appends the names in textual order, repeats too.
  void read(std::string_view wikitext, std::vector<std::string>& out);

 private:
  void read_titles(std::string_view wikitext, std::vector<std::string>& out);

  const WikiNames& names_;
  CategoryReading reading_;
  std::string space_, decoded_;
  WikiTitle title_;
};

// What a page of that title is. `category`: the name under which others tag it; as released that is
// what follows "Category:" in any letter case. Namespaces are told properly in both readings, where
// the released files take pages of some (User, Help, ...) for articles.
struct PageKind {
  enum class Kind { kArticle, kCategory, kOther } kind = Kind::kOther;
  std::string category;
};
[[nodiscard]] PageKind kind_of_page(std::string_view title, const WikiNames& names,
                                    CategoryReading reading);

}  // namespace cupel
