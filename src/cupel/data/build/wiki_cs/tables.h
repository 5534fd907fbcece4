// What wiki-cs takes from MediaWiki's tables instead of from texts.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cupel/data/build/recipe.h"
#include "cupel/data/build/wiki_cs/nodes.h"
#include "cupel/data/wiki/tables.h"

namespace cupel::wiki_cs {

// Counts what of a table that was read to its end may be missing or is of no use; once, as tables
// are read several times.
void count_faults(BuildContext& context, const std::string& input, const TableReader& reader);

// Calls each(row) for every row of an input, and records the file as read.
template <class Reader, class Row, class Each, class... Options>
void for_each_row(BuildContext& context, const std::string& input, const Each& each,
                  Options... options) {
  FileBytes bytes(context.path(input), context.threads(), context.progress(input));
  Reader reader(bytes, options...);
  for (Row row; reader.next(row);) each(row);
  count_faults(context, input, reader);
  context.read_to_end(input, bytes);
}

// Titles of one namespace by the ids that tables call them by (linktarget).
class LinkTargets {
 public:
  // Numbers of titles; a title that is none is not kept.
  using NumberOf = std::function<std::int64_t(std::string_view title)>;  // -1: none
  // Reads the input "linktarget". 8 bytes for 64 ids in a row, 32 for each title with a number.
  LinkTargets(BuildContext& context, std::int32_t name_space, const NumberOf& number_of);

  // The number of the id's title; -1 if it has none, is of another namespace or is unknown.
  [[nodiscard]] std::int64_t number(std::int64_t id) const;
  [[nodiscard]] bool is_known(std::int64_t id) const;

 private:
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
  std::unordered_map<std::int64_t, std::uint64_t> known_;  // 64 ids each
};

// The categories of pages as the table categorylinks has them. 12 bytes a row, 100 a category.
class CategoryTable {
 public:
  // Reads the inputs "categorylinks" and, where that table needs it, "linktarget".
  explicit CategoryTable(BuildContext& context);
  // Appends the names of the page's categories, in the order of the table.
  void read(std::int64_t page, std::vector<std::string>& out) const;

 private:
  std::int64_t add(std::string_view title);

  std::deque<std::string> names_;
  std::unordered_map<std::string_view, std::int64_t> numbers_;
  std::vector<std::int64_t> pages_;  // ascending
  std::vector<Index> categories_;
};

// Throws Error if one of the tables that links_of_tables() reads is another than its name says or
// needs a linktarget that is not given. Reads no rows.
void check_link_tables(BuildContext& context);

// Gives articles the ids that the table `page` has for their titles, drops those that it lacks or
// calls redirects, and sorts them by id. Counts what it dropped.
void take_page_ids(BuildContext& context, std::vector<Article>& articles);

// Links by the tables page, redirect, pagelinks and, where that needs it, linktarget. A link to a
// redirect leads to the page that it names, unless that is a redirect again; links to pages that
// are no nodes are left out. Memory: the titles of nodes and of redirects to them, and the links
// between nodes.
[[nodiscard]] OutLinks links_of_tables(BuildContext& context, std::span<const Article> nodes);

}  // namespace cupel::wiki_cs
