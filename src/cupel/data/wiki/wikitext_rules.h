// What a wiki's links mean for its text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cupel/data/wiki/titles.h"

namespace cupel {

// What a reader sees of a link by what stands before its first colon.
enum class LinkUse : char {
  kShown,      // a page of this wiki, or no prefix at all
  kHidden,     // media, categories, and pages of this name in other languages: nothing
  kElsewhere,  // a page of another project: its label, if it has one
};

enum class TableText : char { kDrop, kKeep };

// Names are those before a colon, in any letter case, with blanks or '_'. MediaWiki's English ones
// (File, Image, Media, Category) hold in every wiki and need not be given; nor need prefixes of
// other wikis, which are known (interwiki.h).
struct WikitextNames {
  std::vector<std::string> files = {}, categories = {};  // all names: local ones, aliases
  std::vector<std::string> pages = {};  // of other namespaces; they win over other wikis' prefixes
};

// Those of the namespaces that a dump declares, and `language`, the prefix of the wiki itself in
// links between languages: "[[en:A]]" in the English Wikipedia is a link like "[[A]]". Aliases may
// be added.
[[nodiscard]] WikitextNames wikitext_names(std::span<const WikiNamespace> declared,
                                           const std::string& language = {});

// Immutable; safe to use from many threads.
class WikitextRules {
 public:
  explicit WikitextRules(const WikitextNames& names = {}, TableText tables = TableText::kDrop);

  [[nodiscard]] TableText tables() const { return tables_; }

  // Of a link's target as written, without a leading colon. A target with a prefix that ends as a
  // file of media does (".jpg", ".svg", ".ogg") is hidden, whatever the prefix: old aliases of a
  // wiki are in no dump.
  [[nodiscard]] LinkUse use_of(std::string_view target) const;

 private:
  std::unordered_map<std::string, LinkUse> uses_;  // by folded name
  TableText tables_;
};

}  // namespace cupel
