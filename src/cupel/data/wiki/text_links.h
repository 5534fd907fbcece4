// The articles that a wikitext links to.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cupel/data/wiki/titles.h"

namespace cupel {

// Use by one thread at a time. Linear; keeps a copy of a text that hides something.
class TextLinks {
 public:
  // `names` must outlive it.
  explicit TextLinks(const WikiNames& names) : names_(names) {}

  // Calls each(title) for each link to a page of the articles' namespace, in textual order, repeats
  // too, with the title as read_title() makes it. Links to other wikis and namespaces are left
  // out, and so are web addresses, links within the page ("[[#top]]"), and what stands in comments,
  // nowiki and the like. Links in templates' arguments count; those that templates add are not
  // seen.
  void read(std::string_view wikitext, const std::function<void(const WikiTitle&)>& each);

 private:
  const WikiNames& names_;
  std::string space_, decoded_;
  WikiTitle title_;
};

}  // namespace cupel
