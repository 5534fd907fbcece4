// The categories and the articles of a dump: what the sanitiser works on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/wiki/category_graph.h"
#include "cupel/data/wiki/category_tags.h"
#include "cupel/data/wiki/dump_xml.h"
#include "cupel/data/wiki/siteinfo.h"

namespace cupel {

// Articles and the categories that they are tagged with, in the order of the dump. 24 bytes, the
// title and 4 bytes a tag for each.
class TaggedArticles {
 public:
  // `tags` are ids of categories.
  void push_back(std::int64_t page, std::string_view title, std::span<const Index> tags);
  // Of articles with one page id the last stays. Returns how many went.
  std::int64_t drop_replaced();

  std::size_t size() const { return pages_.size(); }
  std::int64_t page(std::size_t article) const { return pages_[article]; }  // its id in the wiki
  std::string_view title(std::size_t article) const;                        // blanks as blanks
  std::span<const Index> tags(std::size_t article) const;
  std::int64_t all_tags() const { return static_cast<std::int64_t>(tags_.size()); }

  // Calls visit(list) for every list that it is made of, to keep it or to make it anew.
  template <class Self, class Visit>
  static void each_list(Self& self, Visit&& visit) {
    visit(self.pages_), visit(self.titles_), visit(self.tags_);
    visit(self.title_ends_), visit(self.tag_ends_);
  }

 private:
  std::vector<std::int64_t> pages_;
  std::string titles_;
  std::vector<Index> tags_;
  std::vector<std::uint64_t> title_ends_, tag_ends_;
};

struct CategoryPages {
  CategoryGraph graph;
  TaggedArticles articles;
  std::int64_t pages = 0;            // that were read
  std::int64_t redirects = 0;        // whose text is not looked at
  std::int64_t category_pages = 0;   // without redirects
  std::int64_t of_other_spaces = 0;  // left out
  std::int64_t replaced = 0;         // articles that came again later
};

// Reads the files of one wiki, one after the other. Errors are those of DumpReader.
class CategoryPagesReader {
 public:
  // The categories of a page that somebody else knows: appends their names.
  using TagsOfPage = std::function<void(std::int64_t page, std::vector<std::string>& out)>;

  // `tags`: categories come from there, and not from texts. `info`: further names of namespaces.
  explicit CategoryPagesReader(CategoryReading reading, TagsOfPage tags = {}, SiteInfo info = {})
      : reading_(reading), tags_(std::move(tags)), info_(std::move(info)) {}

  // Throws Error too if this is another wiki's file than those before, or than `info` is of; `file`
  // names it.
  void read(DumpReader& dump, const std::string& file);
  // To be called once.
  [[nodiscard]] CategoryPages finish();

 private:
  CategoryReading reading_;
  TagsOfPage tags_;
  SiteInfo info_;
  CategoryGraphBuilder builder_;
  CategoryPages out_;
  std::string wiki_, first_file_;
};

}  // namespace cupel
