#include "cupel/data/wiki/text_links.h"

#include "cupel/data/wiki/brackets.h"
#include "cupel/data/wiki/hidden_parts.h"
#include "cupel/data/wiki/schemes.h"

namespace cupel {

void TextLinks::read(std::string_view wikitext, const std::function<void(const WikiTitle&)>& each) {
  Brackets brackets(without_hidden(wikitext, space_));
  for (std::string_view target; brackets.next(target);) {
    target = percent_decoded(target, decoded_);
    const std::size_t first = target.find_first_not_of(' ');
    if (first == std::string_view::npos || scheme_size(target.substr(first)) > 0) continue;
    if (read_title(target, names_, title_) && title_.space == kArticles) each(title_);
  }
}

}  // namespace cupel
