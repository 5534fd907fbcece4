#include "cupel/data/wiki/category_tags.h"

#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/brackets.h"
#include "cupel/data/wiki/hidden_parts.h"
#include "cupel/data/wiki/letter_case.h"

namespace cupel {
namespace {

constexpr auto kNone = std::string_view::npos;
constexpr std::string_view kLiteral = "[[Category:";
constexpr std::string_view kPrefix = "CATEGORY:";

bool is_java_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a && c != 0x2007) || c == 0x2028 || c == 0x2029 || c == 0x205f ||
         c == 0x3000;
}

std::string_view stripped(std::string_view text) {
  while (!text.empty()) {
    const Utf8Char first = utf8_char(text, 0);
    if (!is_java_space(first.value)) break;
    text.remove_prefix(static_cast<std::size_t>(first.bytes));
  }
  while (!text.empty()) {
    std::size_t at = text.size() - 1;  // of the last character
    while (at > 0 && text.size() - at < 4 && (text[at] & 0xc0) == 0x80) --at;
    const Utf8Char last = utf8_char(text, at);
    if (at + static_cast<std::size_t>(last.bytes) != text.size() || !is_java_space(last.value))
      break;
    text.remove_suffix(static_cast<std::size_t>(last.bytes));
  }
  return text;
}

void literal_tags(std::string_view text, std::vector<std::string>& out) {
  std::size_t at = 0;
  while ((at = text.find(kLiteral, at)) != kNone) {
    const std::size_t begin = at + kLiteral.size(), end = text.find("]]", begin);
    if (end == kNone) return;
    std::string_view name = text.substr(begin, end - begin);
    name = stripped(name.substr(0, name.find('|')));
    if (!name.empty()) out.emplace_back(name);
    at = end + 2;
  }
}

}  // namespace

CategoryReading parse_category_reading(std::string_view name, std::string_view where) {
  if (name == "mediawiki") return CategoryReading::kMediaWiki;
  if (name == "as-released") return CategoryReading::kAsReleased;
  fail("{}: category-tags is {}; it must be 'mediawiki' or 'as-released'", where, in_quotes(name));
}

void CategoryTags::read(std::string_view wikitext, std::vector<std::string>& out) {
  if (reading_ == CategoryReading::kAsReleased) {
    literal_tags(wikitext, out);
  } else {
    read_titles(wikitext, out);
  }
}

void CategoryTags::read_titles(std::string_view wikitext, std::vector<std::string>& out) {
  Brackets brackets(without_hidden(wikitext, space_));
  for (std::string_view target; brackets.next(target);) {
    // Most links name an article and need not be read.
    if (target.find_first_of(":&%") == kNone) continue;
    target = percent_decoded(target, decoded_);
    const std::size_t first = target.find_first_not_of(" _");
    if (first == kNone || target[first] == ':') continue;
    if (read_title(target, names_, title_) && title_.space == kCategories)
      out.push_back(title_.name);
  }
}

PageKind kind_of_page(std::string_view title, const WikiNames& names, CategoryReading reading) {
  if (reading == CategoryReading::kAsReleased &&
      fold_case(title.substr(0, kPrefix.size())) == kPrefix)
    return {PageKind::Kind::kCategory, std::string(title.substr(kPrefix.size()))};
  WikiTitle page = page_title(title, names);
  if (page.space == kArticles) return {PageKind::Kind::kArticle, {}};
  if (page.space != kCategories || reading == CategoryReading::kAsReleased) return {};
  return {PageKind::Kind::kCategory, std::move(page.name)};
}

}  // namespace cupel
