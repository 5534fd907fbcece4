// Categories of a wiki and which is whose parent.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Nodes are the categories whose id is at most the largest of a category with a page or of a parent
// of one: the rule of the tool that made Wiki-CS. What only articles are tagged with is a node
// (without neighbours) if it was seen early; if it was seen late it is none, and leads nowhere.
struct CategoryGraph {
  std::vector<std::string> names;  // by id; nodes and others
  Csr parents;   // nodes x nodes, a pattern: entry (i, j) where page i is tagged with j; loops too
  Csr children;  // its transpose

  Index nodes() const { return parents.rows; }
  Index categories() const { return static_cast<Index>(names.size()); }
};

// Gathers pages in the order of the dump; redirects are no pages. Ids are given in the order in
// which names are seen, on a category's page its own first, then its tags; on an article's page its
// tags. About 100 bytes and twice its name for each category, 8 bytes for each tag of one.
class CategoryGraphBuilder {
 public:
  // A page met again replaces what was known of its parents. Throws Error if there are more
  // categories than 2^31 - 1, as all do here.
  void add_category(std::string_view name, std::span<const std::string> tags);
  // The ids of an article's tags, each once, in the order of the tags, put in place of `ids`.
  void add_article(std::span<const std::string> tags, std::vector<Index>& ids);

  // To be called once.
  [[nodiscard]] CategoryGraph finish();

 private:
  struct Page {
    Offset begin = 0, end = -1;  // its parents in parents_; no page while end < 0
  };

  Index id_of(std::string_view name);

  std::deque<std::string> names_;  // stay where they are
  std::unordered_map<std::string_view, Index> ids_;
  std::vector<Page> pages_;
  std::vector<Index> parents_;
};

}  // namespace cupel
