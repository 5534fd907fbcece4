#include "cupel/data/wiki/category_graph.h"

#include <algorithm>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"

namespace cupel {

Index CategoryGraphBuilder::id_of(std::string_view name) {
  const auto found = ids_.find(name);
  if (found != ids_.end()) return found->second;
  if (names_.size() >= static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    fail("the dump names more than {} categories, which is more than fit",
         std::numeric_limits<Index>::max());
  const auto id = static_cast<Index>(names_.size());
  ids_.emplace(names_.emplace_back(name), id);
  pages_.emplace_back();
  return id;
}

void CategoryGraphBuilder::add_category(std::string_view name, std::span<const std::string> tags) {
  const Index id = id_of(name);
  const Offset begin = std::ssize(parents_);
  for (const std::string& tag : tags) parents_.push_back(id_of(tag));
  pages_[id] = {begin, std::ssize(parents_)};
}

void CategoryGraphBuilder::add_article(std::span<const std::string> tags, std::vector<Index>& ids) {
  // An article may have been given as many tags as somebody liked.
  constexpr std::size_t kFew = 64;
  ids.clear();
  for (const std::string& tag : tags) {
    const Index id = id_of(tag);
    if (ids.size() < kFew && std::ranges::find(ids, id) != ids.end()) continue;
    ids.push_back(id);
  }
  if (ids.size() < kFew) return;
  std::vector<bool> met(names_.size());
  std::erase_if(ids, [&](Index id) {
    const bool again = met[id];
    met[id] = true;
    return again;
  });
}

CategoryGraph CategoryGraphBuilder::finish() {
  CategoryGraph out;
  const auto count = static_cast<Index>(names_.size());
  Index last = -1;
  for (Index id = 0; id < count; ++id) {
    const Page page = pages_[id];
    if (page.end < 0) continue;
    last = std::max(last, id);
    for (Offset k = page.begin; k < page.end; ++k) last = std::max(last, parents_[k]);
  }
  const Index nodes = last + 1;
  out.parents.rows = out.parents.cols = nodes;
  out.parents.row_ptr.reserve(static_cast<std::size_t>(nodes) + 1);
  std::vector<Index> row;
  for (Index id = 0; id < nodes; ++id) {
    const Page page = pages_[id];
    if (page.end >= 0) row.assign(parents_.begin() + page.begin, parents_.begin() + page.end);
    sort_unique(row);
    out.parents.columns.insert(out.parents.columns.end(), row.begin(), row.end());
    out.parents.row_ptr.push_back(std::ssize(out.parents.columns));
    row.clear();
  }
  out.children = transpose(out.parents);
  ids_.clear();
  out.names.reserve(names_.size());
  while (!names_.empty()) {
    out.names.push_back(std::move(names_.front()));
    names_.pop_front();
  }
  return out;
}

}  // namespace cupel
