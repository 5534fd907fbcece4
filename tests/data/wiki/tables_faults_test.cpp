#include <gtest/gtest.h>

#include "data/build/made_text.h"
#include "data/wiki/table_lines.h"

namespace cupel::test {
namespace {

using namespace sql;

TEST(WikiTables, TitlesThatAreNoUtf8PassAndAreCounted) {
  const char* const bad[] = {
      "\xe9t\xe9",    "a\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
      "\xe0\x80\xaf", "\x80",  "\xff",     "\xe2\x82",     "\xf8\x88\x80\x80\x80"};
  const char* const good[] = {"",
                              "a",
                              "\xc3\xa9",
                              "\xe2\x82\xac",
                              "\xf0\x9f\x98\x80",
                              "\xed\x9f\xbf",
                              "\xef\xbf\xbf",
                              "\xf4\x8f\xbf\xbf",
                              "\xe0\xa0\x80"};
  std::string rows = "(1,0,'x')";
  for (const char* title : good) rows += fmt::format(",(1,0,'{}')", title);
  for (const char* title : bad) rows += fmt::format(",(1,0,'\\'{}')", title);
  const std::string text = dump_of("pagelinks", {"pl_from", "pl_namespace", "pl_title"}, rows);
  Blocks source(text, 64);
  PageLinkReader reader(source);
  std::vector<std::string> titles;
  for (PageLinkRow row; reader.next(row);) titles.emplace_back(row.title);
  ASSERT_EQ(titles.size(), 1 + std::size(good) + std::size(bad));
  EXPECT_EQ(titles[1 + std::size(good)], "'\xe9t\xe9");
  EXPECT_EQ(reader.titles_not_utf8(), std::ssize(bad));
}

TEST(WikiTables, ComplaintsNameColumnAndValue) {
  const auto page = [](const std::string& row) {
    const Columns names = {"page_id",      "page_namespace",   "page_title",  "page_restrictions",
                           "page_counter", "page_is_redirect", "page_is_new", "page_random",
                           "page_touched", "page_latest",      "page_len"};
    return complaint([&] { pages(dump_of("page", names, "(1,0,'A','',0,0,0,0,'',1,1)," + row)); });
  };
  const auto link = [](const Columns& columns, const std::string& rows) {
    return complaint([&] { page_links(dump_of("pagelinks", columns, rows)); });
  };
  const Columns c2024 = {"pl_from", "pl_from_namespace", "pl_target_id"};
  const std::pair<std::string, const char*> cases[] = {
      {page("('x',0,'A','',0,0,0,0,'',1,1)"),
       "'page_id' is the text 'x', where a whole number from 1 belongs"},
      {page("(NULL,0,'A','',0,0,0,0,'',1,1)"), "made.sql: row 2 (byte "},
      {page("(NULL,0,'A','',0,0,0,0,'',1,1)"), "'page_id' is NULL, where"},
      {page("(-5,0,'A','',0,0,0,0,'',1,1)"), "'page_id' is the number '-5', where"},
      {page("(0,0,'A','',0,0,0,0,'',1,1)"), "'page_id' is the number '0', where"},
      {page("(1.5,0,'A','',0,0,0,0,'',1,1)"), "'page_id' is the number '1.5', where"},
      {page("(9223372036854775808,0,'A','',0,0,0,0,'',1,1)"),
       "number '9223372036854775808', where"},
      {page("(1,4294967296,'A','',0,0,0,0,'',1,1)"),
       "'page_namespace' is the number '4294967296', where the number of a namespace belongs"},
      {page("(1,'0','A','',0,0,0,0,'',1,1)"), "'page_namespace' is the text '0', where"},
      {page("(1,0,17,'',0,0,0,0,'',1,1)"), "'page_title' is the number '17', where a text belongs"},
      {page("(1,0,NULL,'',0,0,0,0,'',1,1)"), "'page_title' is NULL, where a text belongs"},
      {page("(1,0,'A','',0,2,0,0,'',1,1)"), "'page_is_redirect' is the number '2', where 0 or 1"},
      {page("(1,0,'A','',0,'1',0,0,'',1,1)"), "'page_is_redirect' is the text '1', where 0 or 1"},
      {page("(1,0,'A','',0,NULL,0,0,'',1,1)"), "'page_is_redirect' is NULL, where 0 or 1"},
      {page("(1,0,'A','',0,0,0,0,'',1)"), "has 10 values where 11 belong"},
      {page("(1,0,'" + std::string(2000, 'a') + "','',0,0,0,0,'',1,1)"),
       "aaa...', where a title of at most 255 bytes belongs"},
      {page("(1,0,'\x1b[2J\n" + std::string(2000, 'a') + "','',0,0,0,0,'',1,1)"),
       "'page_title' is the text '\\x1b[2J\\x0aaaa"},
      {complaint([&] { pages(dump_of("redirect", {"rd_from"}, "(1)")); }),
       "holds table 'redirect', not 'page'; give the dump of table 'page' alone"},
      {complaint([&] {
         pages(dump_of("page", {"page_id", "page_title"}, "(1,'A')"));
       }),
       "table 'page' has no column 'page_namespace', only 'page_id', 'page_title'"},
      {complaint([&] {
         redirects(dump_of("redirect", {"rd_from", "rd_title"}, "(1,'A')"));
       }),
       "table 'redirect' has no column 'rd_namespace', only 'rd_from', 'rd_title'"},
      {complaint([&] {
         redirects(dump_of("redirect", {"rd_from", "rd_namespace", "rd_title", "rd_interwiki"},
                           "(1,0,'A',3)"));
       }),
       "'rd_interwiki' is the number '3', where a text belongs"},
      {link({"pl_from", "pl_from_namespace"}, ""), "has no column 'pl_namespace', only 'pl_from'"},
      {link({"pl_from", "pl_namespace"}, ""), "has no column 'pl_title'"},
      {link({"pl_namespace", "pl_title"}, ""), "has no column 'pl_from'"},
      {link(c2024, "(-1,0,1)"), "'pl_from' is the number '-1', where a whole number from 0"},
      {link(c2024, "(1,0,NULL)"), "'pl_target_id' is NULL, where a whole number from 1"},
      {link(c2024, "(1,0,0)"), "'pl_target_id' is the number '0', where a whole number from 1"},
      {link(c2024, "(1,NULL,1)"), "'pl_from_namespace' is NULL, where the number of a namespace"},
      {complaint([&] {
         category_links(dump_of("categorylinks", {"cl_from", "cl_to", "cl_type"},
                                "(1,'A','page'),(2,'A','cat')"));
       }),
       "row 2 (byte "},
      {complaint([&] {
         category_links(dump_of("categorylinks", {"cl_from", "cl_to", "cl_type"},
                                "(1,'A','page'),(2,'A','cat')"));
       }),
       "'cl_type' is the text 'cat', where 'page', 'subcat' or 'file' belongs"},
      {complaint([&] { category_links(dump_of("categorylinks", {"cl_from"}, "(1)")); }),
       "table 'categorylinks' has no column 'cl_to', only 'cl_from'"},
      {complaint([&] {
         link_targets(dump_of("linktarget", {"lt_id", "lt_title"}, "(1,'a')"));
       }),
       "table 'linktarget' has no column 'lt_namespace', only 'lt_id', 'lt_title'"},
  };
  for (const auto& [message, part] : cases) {
    EXPECT_TRUE(contains(message, part)) << message << "\nlacks " << part;
    EXPECT_EQ(message.substr(0, 9), "made.sql:");
    EXPECT_EQ(message.find('\n'), message.npos);
    EXPECT_EQ(message.find('\x1b'), message.npos);
  }
}

}  // namespace
}  // namespace cupel::test
