#include "cupel/data/wiki/tables.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "cupel/data/formats/file_bytes.h"
#include "data/build/made_text.h"
#include "data/wiki/sql_text.h"

namespace cupel::test {
namespace {

using namespace sql;
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
    EXPECT_EQ(reader.rows(), lines.size());
    if (first.empty()) first = lines;
    EXPECT_EQ(lines, first) << "in blocks of " << block;
  }
  return first;
}

std::vector<std::string> pages(const std::string& text, RedirectFlag flag = RedirectFlag::kNamed) {
  const auto show = [](const PageRow& row) {
    const char* const flags[] = {"no", "yes", "neither"};
    return fmt::format("{} {} {} {}", row.id, row.name_space, row.title,
                       flags[static_cast<int>(row.redirect)]);
  };
  return lines_of<PageReader, PageRow>(text, show, flag);
}

std::vector<std::string> redirects(const std::string& text) {
  return lines_of<RedirectReader, RedirectRow>(text, [](const RedirectRow& row) {
    return fmt::format("{} {} {} [{}]", row.from, row.name_space, row.title, row.interwiki);
  });
}

std::vector<std::string> page_links(const std::string& text) {
  return lines_of<PageLinkReader, PageLinkRow>(text, [](const PageLinkRow& row) {
    const std::string space = row.from_space ? fmt::format(" from {}", *row.from_space) : "";
    if (row.target_id != 0) return fmt::format("{} #{}{}", row.from, row.target_id, space);
    return fmt::format("{} {} {}{}", row.from, row.name_space, row.title, space);
  });
}

std::vector<std::string> category_links(const std::string& text) {
  return lines_of<CategoryLinkReader, CategoryLinkRow>(text, [](const CategoryLinkRow& row) {
    const char* const types[] = {"unknown", "page", "subcategory", "file"};
    const std::string target =
        row.target_id != 0 ? fmt::format("#{}", row.target_id) : std::string(row.title);
    return fmt::format("{} {} {}", row.from, target, types[static_cast<int>(row.type)]);
  });
}

std::vector<std::string> link_targets(const std::string& text) {
  return lines_of<LinkTargetReader, LinkTargetRow>(text, [](const LinkTargetRow& row) {
    return fmt::format("{} {} {}", row.id, row.name_space, row.title);
  });
}

// Schemas of MediaWiki's maintenance/tables.sql: 1.5 (2005), 1.25 (2015), 1.34 (2019), 1.38 (2022).
const Columns kPage2005 = {"page_id",      "page_namespace",   "page_title",  "page_restrictions",
                           "page_counter", "page_is_redirect", "page_is_new", "page_random",
                           "page_touched", "page_latest",      "page_len"};
const Columns kPage2019 = {
    "page_id",     "page_namespace",     "page_title",   "page_restrictions",  "page_is_redirect",
    "page_is_new", "page_random",        "page_touched", "page_links_updated", "page_latest",
    "page_len",    "page_content_model", "page_lang"};
const Columns kPage2022 = {"page_id",          "page_namespace",     "page_title",
                           "page_is_redirect", "page_is_new",        "page_random",
                           "page_touched",     "page_links_updated", "page_latest",
                           "page_len",         "page_content_model", "page_lang"};

std::string page2005(const std::string& rows) { return dump_of("page", kPage2005, rows); }

const std::string kRows2005 =
    "(10,0,'Rock_\\'n\\'_Roll','',99,1,0,0.33167112649574004,'20050101000000',7,24),"
    "(12,14,'A,_(b)','edit=sysop:move=sysop',0,0,1,0.5,'20050101000000',8,0)";
const std::string kRows2019 =
    "(10,0,'Rock_\\'n\\'_Roll','',1,0,0.33167112649574,'20190801000000',NULL,7,24,'wikitext',NULL),"
    "(12,14,'A,_(b)','',0,1,0.5,'20190801000000','20190801000000',8,0,NULL,'de')";
const std::string kRows2022 =
    "(10,0,'Rock_\\'n\\'_Roll',1,0,0.33167112649574,'20220801000000',NULL,7,24,'wikitext',NULL),"
    "(12,14,'A,_(b)',0,1,0,'20220801000000','20220801000000',8,0,NULL,'de')";

TEST(WikiTables, PagesInEverySchema) {
  const std::vector<std::string> expected = {"10 0 Rock_'n'_Roll yes", "12 14 A,_(b) no"};
  EXPECT_EQ(pages(page2005(kRows2005)), expected);
  EXPECT_EQ(pages(dump_of("page", kPage2019, kRows2019)), expected);
  EXPECT_EQ(pages(dump_of("page", kPage2022, kRows2022)), expected);
}

TEST(WikiTables, TheSixthColumnIsAnotherFlagInEachSchema) {
  const RedirectFlag fifth = RedirectFlag::kFifth;
  const std::string a = "10 0 Rock_'n'_Roll ", b = "12 14 A,_(b) ";
  EXPECT_EQ(pages(page2005(kRows2005), fifth), (Columns{a + "yes", b + "no"}));
  EXPECT_EQ(pages(dump_of("page", kPage2019, kRows2019), fifth), (Columns{a + "no", b + "yes"}));
  EXPECT_EQ(pages(dump_of("page", kPage2022, kRows2022), fifth),
            (Columns{a + "neither", b + "no"}));
  Blocks source(dump_of("page", kPage2022, kRows2022), 64);
  EXPECT_EQ(PageReader(source, fifth).flag_column(), "page_random");

  const std::string shorter =
      dump_of("page", {"page_id", "page_namespace", "page_title", "x", "y"}, "");
  EXPECT_TRUE(contains(complaint([&] { pages(shorter, fifth); }),
                       "made.sql: table 'page' has no flag in a sixth column, its columns are "
                       "'page_id', 'page_namespace', 'page_title', 'x', 'y'"));
  const std::string title =
      dump_of("page", {"a", "page_id", "page_namespace", "x", "y", "page_title"}, "");
  EXPECT_TRUE(contains(complaint([&] { pages(title, fifth); }), "no flag in a sixth column"));
}

TEST(WikiTables, RedirectsInEverySchema) {
  EXPECT_EQ(redirects(dump_of("redirect", {"rd_from", "rd_namespace", "rd_title"}, "(7,0,'A_b')")),
            (Columns{"7 0 A_b []"}));
  const Columns present = {"rd_from", "rd_namespace", "rd_title", "rd_interwiki", "rd_fragment"};
  EXPECT_EQ(
      redirects(dump_of("redirect", present,
                        "(7,0,'A_b','','Section'),(8,-1,'Search','en',NULL),(9,4,'C',NULL,'')")),
      (Columns{"7 0 A_b []", "8 -1 Search [en]", "9 4 C []"}));
}

TEST(WikiTables, PageLinksInEverySchema) {
  const Columns c2005 = {"pl_from", "pl_namespace", "pl_title"};
  const Columns c2015 = {"pl_from", "pl_namespace", "pl_title", "pl_from_namespace"};
  const Columns c2023 = {"pl_from", "pl_namespace", "pl_title", "pl_from_namespace",
                         "pl_target_id"};
  const Columns c2024 = {"pl_from", "pl_from_namespace", "pl_target_id"};
  EXPECT_EQ(page_links(dump_of("pagelinks", c2005, "(1,0,'A'),(2,14,'\\\"B\\\"')")),
            (Columns{"1 0 A", "2 14 \"B\""}));
  EXPECT_EQ(page_links(dump_of("pagelinks", c2015, "(1,0,'A',2),(2,14,'B',0)")),
            (Columns{"1 0 A from 2", "2 14 B from 0"}));
  EXPECT_EQ(page_links(dump_of("pagelinks", c2024, "(1,2,77),(2,0,123456789)")),
            (Columns{"1 #77 from 2", "2 #123456789 from 0"}));
  // Written both ways, then the new way alone, with an old row whose title is truly empty.
  EXPECT_EQ(page_links(dump_of("pagelinks", c2023,
                               "(1,0,'A',2,NULL),(1,0,'B',2,9),(1,0,'',2,8),(1,0,'',2,NULL)")),
            (Columns{"1 0 A from 2", "1 0 B from 2", "1 #8 from 2", "1 0  from 2"}));
}

TEST(WikiTables, CategoryLinksInEverySchema) {
  const Columns c2005 = {"cl_from", "cl_to", "cl_sortkey", "cl_timestamp"};
  const Columns c2011 = {"cl_from",           "cl_to",        "cl_sortkey", "cl_timestamp",
                         "cl_sortkey_prefix", "cl_collation", "cl_type"};
  Columns both = c2011;
  both.insert(both.end(), {"cl_collation_id", "cl_target_id"});
  const Columns c2025 = {"cl_from", "cl_sortkey",      "cl_timestamp", "cl_sortkey_prefix",
                         "cl_type", "cl_collation_id", "cl_target_id"};
  const std::string key = "'*,R\\'),(\\n\xff\x80\\0'";
  EXPECT_EQ(category_links(dump_of("categorylinks", c2005, "(1,'A_b'," + key + ",20050101000000)")),
            (Columns{"1 A_b unknown"}));
  EXPECT_EQ(category_links(dump_of("categorylinks", c2011,
                                   "(1,'A_b'," + key + ",'2011-01-01 00:00:00',''," +
                                       "'uca-default','subcat'),(2,'C','','','','','file')")),
            (Columns{"1 A_b subcategory", "2 C file"}));
  EXPECT_EQ(category_links(dump_of("categorylinks", both,
                                   "(1,'A'," + key +
                                       ",'','','','page',0,NULL),"
                                       "(1,'B'," +
                                       key +
                                       ",'','','','page',1,5),"
                                       "(1,''," +
                                       key + ",'','','','page',1,6)")),
            (Columns{"1 A page", "1 B page", "1 #6 page"}));
  EXPECT_EQ(category_links(dump_of("categorylinks", c2025,
                                   "(1341," + key + ",'2025-02-17 13:31:43','','page',1,208)")),
            (Columns{"1341 #208 page"}));
}

TEST(WikiTables, LinkTargets) {
  EXPECT_EQ(link_targets(dump_of("linktarget", {"lt_id", "lt_namespace", "lt_title"},
                                 "(1,0,'A'),(2,-2,'B\\\\C')")),
            (Columns{"1 0 A", "2 -2 B\\C"}));
}

TEST(WikiTables, SayWhetherLinkTargetsAreNeeded) {
  const auto needs = [](const Columns& columns, bool may) {
    Blocks source(dump_of("pagelinks", columns, "(1,2,3)"), 64);
    const PageLinkReader reader(source);
    EXPECT_EQ(reader.may_use_linktarget(), may);
    return reader.needs_linktarget();
  };
  EXPECT_FALSE(needs({"pl_from", "pl_namespace", "pl_title"}, false));
  EXPECT_FALSE(needs({"pl_from", "pl_namespace", "pl_title", "pl_target_id"}, true));
  EXPECT_TRUE(needs({"pl_from", "pl_from_namespace", "pl_target_id"}, true));
  Blocks source(dump_of("categorylinks", {"cl_from", "cl_target_id"}, "(1,2)"), 64);
  const CategoryLinkReader reader(source);
  EXPECT_TRUE(reader.needs_linktarget());
  EXPECT_EQ(complaint([&] { reader.fail_without_linktarget(); }),
            "made.sql: table 'categorylinks' has its targets as ids ('cl_target_id'), which only "
            "table 'linktarget' of the same dump explains; give that too, the file whose name ends "
            "in -linktarget.sql.gz");
}

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
  EXPECT_EQ(reader.titles_not_utf8(), std::size(bad));
  EXPECT_EQ(reader.first_not_utf8(), fmt::format("made.sql: row {} (byte {}): 'pl_title' is "
                                                 "''\\xe9t\\xe9'",
                                                 2 + std::size(good), text.find("(1,0,'\\'\xe9")));
}

TEST(WikiTables, ComplaintsNameColumnAndValue) {
  const auto page = [](const std::string& row) {
    return complaint([&] { pages(page2005("(1,0,'A','',0,0,0,0,'',1,1)," + row)); });
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

// Drawn tables against the plain reader.
TEST(WikiTables, DrawnLinksAreAsThePlainReaderHasThem) {
  std::mt19937 random(11);
  std::string rows;
  for (int n = 0; n < 3000; ++n) {
    std::string title;
    const char* const parts[] = {"A",    "_(b)", "\\'s",     ",",  "\\\\",
                                 "\\\"", "''",   "\xc3\xa9", "\n", ");"};
    for (std::size_t size = random() % 12; size > 0; --size) title += parts[random() % 10];
    const std::int64_t from = static_cast<std::int64_t>(random() >> random() % 32);
    rows += fmt::format("{}({},{},'{}',{})",
                        n == 0   ? ""
                        : n % 50 ? ","
                                 : ";\nINSERT INTO `pagelinks` VALUES ",
                        from, static_cast<int>(random() % 20) - 2, title, random() % 16);
  }
  const std::string dump =
      dump_of("pagelinks", {"pl_from", "pl_namespace", "pl_title", "pl_from_namespace"}, rows);
  Columns expected;
  for (const auto& row : slow_rows(dump)) {
    expected.push_back(row[0] + " " + row[1] + " " + row[2].substr(1) + " from " + row[3]);
  }
  ASSERT_EQ(expected.size(), 3000u);
  EXPECT_EQ(page_links(dump), expected);
}

std::filesystem::path real(const char* name) {
  const char* data = std::getenv("CUPEL_DATA");
  return data == nullptr ? std::filesystem::path()
                         : std::filesystem::path(data) / "wikipedia" / name;
}

// Figures by Python: re.finditer over the tuples of each INSERT of the unpacked file, then sums
// over columns; the last one is the sum over rows of the number of the row times its first column.
TEST(WikiTables, RealPageLinks) {
  const auto path = real("aawiki-20260101/aawiki-20260101-pagelinks.sql.gz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "needs CUPEL_DATA with wikipedia";
  FileBytes source(path, {1});
  PageLinkReader reader(source);
  EXPECT_TRUE(reader.needs_linktarget());
  std::int64_t from = 0, space = 0, target = 0, weighted = 0;
  for (PageLinkRow row; reader.next(row);) {
    from += row.from;
    space += row.from_space.value();
    target += row.target_id;
    weighted += row.from * static_cast<std::int64_t>(reader.rows());
  }
  EXPECT_EQ(reader.rows(), 637u);
  EXPECT_EQ(from, 1207537);
  EXPECT_EQ(space, 1975);
  EXPECT_EQ(target, 125690);
  EXPECT_EQ(weighted, 392676682);
  EXPECT_TRUE(reader.dump().completed());
}

// The same, with zlib.crc32 of the texts of a column, put together.
TEST(WikiTables, RealCategoryLinks) {
  const auto path = real("aawiki-20260101/aawiki-20260101-categorylinks.sql.gz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "needs CUPEL_DATA with wikipedia";
  FileBytes source(path, {1});
  CategoryLinkReader reader(source);
  EXPECT_TRUE(reader.needs_linktarget());
  std::int64_t from = 0, target = 0, subcategories = 0;
  for (CategoryLinkRow row; reader.next(row);) {
    from += row.from;
    target += row.target_id;
    subcategories += row.type == CategoryLinkRow::Type::kSubcategory;
  }
  EXPECT_EQ(reader.rows(), 156u);
  EXPECT_EQ(from, 306222);
  EXPECT_EQ(target, 38814);
  EXPECT_EQ(subcategories, 28);

  FileBytes again(path, {1});
  SqlDump dump(again, "categorylinks");
  dump.want({"cl_sortkey", "cl_timestamp"});
  uLong keys = 0, times = 0;
  std::size_t line_feeds = 0;
  const auto add = [](uLong sum, std::string_view text) {
    return crc32(sum, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
  };
  while (dump.next()) {
    keys = add(keys, dump.value(0).text);
    times = add(times, dump.value(1).text);
    line_feeds += dump.value(0).text.find('\n') != std::string_view::npos;
  }
  EXPECT_EQ(keys, 1644134801u);
  EXPECT_EQ(times, 4048648266u);
  EXPECT_EQ(line_feeds, 96u);
}

// change_tag_def of simplewiki, with NULLs put in: figures counted in the file by hand and grep.
TEST(WikiTables, RealNulls) {
  const auto path = real("mwsql/testfile-with-null-values.sql");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "needs CUPEL_DATA with wikipedia/mwsql";
  FileBytes source(path, {1});
  SqlDump dump(source, "change_tag_def");
  dump.want({"ctd_name", "ctd_id", "ctd_count", "ctd_user_defined"});
  int nulls = 0;
  std::string quoted;
  while (dump.next()) {
    for (int k = 0; k < 4; ++k) nulls += dump.value(k).kind == SqlValue::Kind::kNull;
    if (dump.value(1).integer == 86) quoted = dump.value(0).text;
  }
  EXPECT_EQ(nulls, 4);
  EXPECT_EQ(quoted, "short 'X is a city in Y' article");
}

}  // namespace
}  // namespace cupel::test
