#include "cupel/data/wiki/tables.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "cupel/data/formats/file_bytes.h"
#include "data/build/made_text.h"
#include "data/wiki/table_lines.h"

namespace cupel::test {
namespace {

using namespace sql;

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
  std::int64_t rows = 0, from = 0, space = 0, target = 0, weighted = 0;
  for (PageLinkRow row; reader.next(row);) {
    from += row.from;
    space += row.from_space.value();
    target += row.target_id;
    weighted += row.from * ++rows;
  }
  EXPECT_EQ(rows, 637);
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
  EXPECT_EQ(reader.dump().rows(), 156u);
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
