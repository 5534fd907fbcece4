#include "cupel/data/wiki/category_pages.h"

#include <algorithm>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/data/formats/text.h"

namespace cupel {
void TaggedArticles::push_back(std::int64_t page, std::string_view title,
                               std::span<const Index> tags) {
  pages_.push_back(page);
  titles_ += title;
  title_ends_.push_back(titles_.size());
  tags_.insert(tags_.end(), tags.begin(), tags.end());
  tag_ends_.push_back(tags_.size());
}

std::string_view TaggedArticles::title(std::size_t article) const {
  const std::uint64_t begin = article == 0 ? 0 : title_ends_[article - 1];
  return std::string_view(titles_).substr(begin, title_ends_[article] - begin);
}

std::span<const Index> TaggedArticles::tags(std::size_t article) const {
  const std::uint64_t begin = article == 0 ? 0 : tag_ends_[article - 1];
  return std::span(tags_).subspan(begin, tag_ends_[article] - begin);
}

std::int64_t TaggedArticles::drop_replaced() {
  // Dumps ascend, so that there is nothing to do as a rule.
  if (std::ranges::adjacent_find(pages_, std::ranges::greater_equal()) == pages_.end()) return 0;
  std::unordered_map<std::int64_t, std::size_t> last;
  for (std::size_t a = 0; a < size(); ++a) last[pages_[a]] = a;
  TaggedArticles kept;
  for (std::size_t a = 0; a < size(); ++a) {
    if (last[pages_[a]] == a) kept.push_back(pages_[a], title(a), tags(a));
  }
  const auto dropped = static_cast<std::int64_t>(size() - kept.size());
  *this = std::move(kept);
  return dropped;
}

void CategoryPagesReader::read(DumpReader& dump, const std::string& file) {
  const WikiSite& site = dump.site();
  const std::string& wiki = site.dbname.empty() ? site.name : site.dbname;
  if (first_file_.empty()) {
    wiki_ = wiki;
    first_file_ = file;
  }
  if (wiki != wiki_)
    fail("{}: is a dump of {}, and {} one of {}; give the files of one wiki", file, in_quotes(wiki),
         first_file_, in_quotes(wiki_));
  const WikiNames names = names_of(with_aliases(site, info_, file));
  CategoryTags reader(names, reading_);
  std::vector<std::string> tags;
  std::vector<Index> ids;
  for (WikiPage page; dump.next(page);) {
    ++out_.pages;
    if (page.redirect) {
      ++out_.redirects;
      continue;
    }
    const PageKind kind = kind_of_page(page.title, names, reading_);
    if (kind.kind == PageKind::Kind::kOther) {
      ++out_.of_other_spaces;
      continue;
    }
    tags.clear();
    tags_ ? tags_(page.id, tags) : reader.read(page.text, tags);
    if (kind.kind == PageKind::Kind::kCategory) {
      ++out_.category_pages;
      builder_.add_category(kind.category, tags);
    } else {
      builder_.add_article(tags, ids);
      out_.articles.push_back(page.id, page.title, ids);
    }
  }
}

CategoryPages CategoryPagesReader::finish() {
  out_.replaced = out_.articles.drop_replaced();
  out_.graph = builder_.finish();
  return std::move(out_);
}

}  // namespace cupel
