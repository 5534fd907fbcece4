// Rows of MediaWiki's tables as lines, for comparing.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cupel/data/wiki/tables.h"
#include "data/wiki/sql_text.h"

namespace cupel::test::sql {

using Columns = std::vector<std::string>;

// All rows, as lines of what was read; in blocks of every size, which agree.
template <class Reader, class Row, class Show, class... More>
std::vector<std::string> lines_of(const std::string& text, const Show& show, More... more) {
  std::vector<std::string> first;
  for (const std::size_t block : kBlockSizes) {
    Blocks source(text, block);
    Reader reader(source, more...);
    std::vector<std::string> lines;
    for (Row row; reader.next(row);) lines.push_back(show(row));
    EXPECT_EQ(reader.dump().rows(), lines.size());
    if (first.empty()) first = lines;
    EXPECT_EQ(lines, first) << "in blocks of " << block;
  }
  return first;
}

inline std::vector<std::string> pages(const std::string& text,
                                      RedirectFlag flag = RedirectFlag::kNamed) {
  const auto show = [](const PageRow& row) {
    const char* const flags[] = {"no", "yes", "neither"};
    return fmt::format("{} {} {} {}", row.id, row.name_space, row.title,
                       flags[static_cast<int>(row.redirect)]);
  };
  return lines_of<PageReader, PageRow>(text, show, flag);
}

inline std::vector<std::string> redirects(const std::string& text) {
  return lines_of<RedirectReader, RedirectRow>(text, [](const RedirectRow& row) {
    return fmt::format("{} {} {} [{}]", row.from, row.name_space, row.title, row.interwiki);
  });
}

inline std::vector<std::string> page_links(const std::string& text) {
  return lines_of<PageLinkReader, PageLinkRow>(text, [](const PageLinkRow& row) {
    const std::string space = row.from_space ? fmt::format(" from {}", *row.from_space) : "";
    if (row.target_id != 0) return fmt::format("{} #{}{}", row.from, row.target_id, space);
    return fmt::format("{} {} {}{}", row.from, row.name_space, row.title, space);
  });
}

inline std::vector<std::string> category_links(const std::string& text) {
  return lines_of<CategoryLinkReader, CategoryLinkRow>(text, [](const CategoryLinkRow& row) {
    const char* const types[] = {"unknown", "page", "subcategory", "file"};
    const std::string target =
        row.target_id != 0 ? fmt::format("#{}", row.target_id) : std::string(row.title);
    return fmt::format("{} {} {}", row.from, target, types[static_cast<int>(row.type)]);
  });
}

inline std::vector<std::string> link_targets(const std::string& text) {
  return lines_of<LinkTargetReader, LinkTargetRow>(text, [](const LinkTargetRow& row) {
    return fmt::format("{} {} {}", row.id, row.name_space, row.title);
  });
}

}  // namespace cupel::test::sql
