#include "cupel/data/wiki/siteinfo.h"

#include <gtest/gtest.h>

#include "data/build/made_text.h"

namespace cupel::test {
namespace {

WikiSite chinese() {
  WikiSite site;
  site.namespaces = {{0, "", false}, {6, "File", false}, {14, "Category", false}};
  return site;
}

// As Wikimedia's dumps have it.
constexpr const char* kFirst =
    R"({"batchcomplete":"","query":{"namespaces":{"0":{"id":0,"case":"first-letter","*":""},)"
    R"("14":{"id":14,"case":"first-letter","canonical":"Category","*":"Category"}},)"
    R"("namespacealiases":[{"id":14,"*":"\u5206\u7c7b"},{"id":14,"*":"\u5206\u985e"},)"
    R"({"id":6,"*":"\u6587\u4ef6"}],"magicwords":[{"name":"redirect","aliases":["#x"]}]}})";
// formatversion=2.
constexpr const char* kSecond =
    R"({"query":{"namespaces":{"14":{"id":14,"name":"Category"}},)"
    R"("namespacealiases":[{"id":14,"alias":"分类"},{"id":14,"alias":"分類"},)"
    R"({"id":6,"alias":"文件"}]}})";

TEST(SiteInfo, AliasesAreNamesOfTheirNamespaces) {
  for (const char* text : {kFirst, kSecond}) {
    const SiteInfo info = read_siteinfo(text, "s.json");
    ASSERT_EQ(info.aliases.size(), 3u);
    const WikiNames names = names_of(with_aliases(chinese(), info, "d.xml"));
    EXPECT_EQ(read_title("分类:树", names), (WikiTitle{14, "树"}));
    EXPECT_EQ(read_title("分類:树", names), (WikiTitle{14, "树"}));
    EXPECT_EQ(read_title("category:树", names), (WikiTitle{14, "树"}));
    EXPECT_EQ(read_title("文件:a.jpg", names), (WikiTitle{6, "A.jpg"}));
  }
  EXPECT_EQ(read_title("分类:树", names_of(chinese())), (WikiTitle{0, "分类:树"}));
  EXPECT_EQ(with_aliases(chinese(), {}, "d.xml").namespaces.size(), 3u);
}

TEST(SiteInfo, TheDumpsNamesGoBefore) {
  const SiteInfo info =
      read_siteinfo(R"({"namespacealiases":[{"id":6,"*":"Category"}]})", "s.json");
  EXPECT_EQ(names_of(with_aliases(chinese(), info, "d.xml")).number_of("category"), 14);
}

TEST(SiteInfo, AnotherWikisFileIsRefused) {
  const SiteInfo info = read_siteinfo(kFirst, "s.json");
  WikiSite german = chinese();
  german.namespaces.back().name = "Kategorie";
  EXPECT_EQ(complaint([&] { (void)with_aliases(german, info, "d.xml"); }),
            "s.json: calls namespace 14 'Category', and d.xml calls it 'Kategorie'; give the file "
            "of the same wiki and day");
}

TEST(SiteInfo, BadFilesAreOneSentence) {
  const auto refused = [](const char* text) {
    return complaint([&] { (void)read_siteinfo(text, "s.json"); });
  };
  EXPECT_TRUE(contains(refused("<html>"), "s.json: is not valid JSON")) << refused("<html>");
  for (const char* text : {"[]", "7", "{}", R"({"query":[]})", R"({"query":{"namespaces":{}}})",
                           R"({"namespacealiases":{"14":"x"}})"})
    EXPECT_TRUE(contains(refused(text), "s.json: has no list 'namespacealiases'; give the wiki's"))
        << refused(text);
  for (const char* entry : {"7", "{}", R"({"id":14})", R"({"id":"14","*":"x"})",
                            R"({"id":14,"*":5})", R"({"id":99999999999,"*":"x"})"}) {
    const std::string text = fmt::format("{{\"namespacealiases\":[{}]}}", entry);
    EXPECT_TRUE(contains(refused(text.c_str()), "s.json: 'namespacealiases' has '")) << text;
  }
  EXPECT_TRUE(contains(refused(R"({"namespaces":"x","namespacealiases":[]})"),
                       "s.json: 'namespaces' has '\"x\"'"));
}

}  // namespace
}  // namespace cupel::test
