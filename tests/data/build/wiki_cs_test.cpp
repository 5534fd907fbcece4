// wiki-cs: from dumps to milestones, by hand and against another program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cupel/base/hash.h"
#include "cupel/data/formats/file.h"
#include "data/build/wiki_cs_folder.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

std::string page(const std::string& title, int id, const std::string& text,
                 const std::string& more = "") {
  return fmt::format(
      "<page><title>{}</title><id>{}</id>{}<revision><id>{}</id><text>{}</text></revision></"
      "page>\n",
      title, id, more, 1000 + id, text);
}

std::string dump(const std::string& pages, const std::string& dbname = "xxwiki") {
  return fmt::format(
      "<mediawiki version=\"0.10\" xml:lang=\"xx\"><siteinfo><dbname>{}</dbname>"
      "<case>first-letter</case><namespaces><namespace key=\"0\" case=\"first-letter\" />"
      "<namespace key=\"2\" case=\"first-letter\">Persona</namespace>"
      "<namespace key=\"14\" case=\"first-letter\">Klasse</namespace></namespaces></siteinfo>\n"
      "{}</mediawiki>\n",
      dbname, pages);
}

// All > Science > Physics > Optics and All > Arts; Lamps is below Optics and below Arts.
std::string categories() {
  return page("Klasse:All", 1, "") + page("Klasse:Science", 2, "[[Klasse:All]]") +
         page("Klasse:Physics", 3, "[[klasse:science|*]]") +
         page("Klasse:Optics", 4, "[[Category:Physics]] &lt;!-- [[Klasse:Arts]] --&gt;") +
         page("Klasse:Arts", 5, "[[Klasse:All]]") +
         page("Klasse:Lamps", 6, "[[Klasse:Optics]] [[Klasse:Arts]]");
}

std::string articles() {
  return page("Prism", 10, "[[Klasse:Optics]] [[:Klasse:Arts]] [[Klasse:optics]]") +
         page("Chandelier", 11, "[[Klasse:Lamps]] [[Klasse:Science]]") +
         page("Nowhere", 12, "no class") +
         page("Prisma", 13, "#REDIRECT [[Prism]] [[Klasse:Arts]]", "<redirect title=\"Prism\" />") +
         page("Persona:Me", 14, "[[Klasse:Arts]]") +
         page("\"Q\"", 15, "[[Klasse:Unwritten]] [[Klasse:Arts]]");
}

class WikiCs : public WikiCsFolder {};

TEST_F(WikiCs, RanksCategoriesAndPutsArticlesUnderMilestones) {
  write("xx-pages-articles.xml", dump(categories() + articles()));
  const Built built = make({"milestones=3"});
  // All: Science and Arts at 1, Physics and Lamps at 2, Optics at 3. Science: Physics, Optics,
  // Lamps at 1, 2, 3. Physics: Optics, Lamps. Optics and Arts: Lamps; Optics was seen first.
  EXPECT_EQ(
      text_of(built, "ranked-categories.tsv"),
      "All\t3.3333333333333335\nScience\t1.8333333333333333\nPhysics\t1.5\nOptics\t1\nArts\t1\n"
      "Lamps\t0\n");
  EXPECT_EQ(text_of(built, "milestonetree.tsv"), "All\tnull\nScience\tAll\nPhysics\tScience\n");
  // Lamps is two steps below All, by Arts, and two below Physics: All was seen first.
  EXPECT_EQ(text_of(built, "page2cat.tsv"),
            "Prism\tPhysics\t\nChandelier\tAll\tScience\t\nNowhere\t\n\"Q\"\tAll\t\n");
  EXPECT_EQ(text_of(built, "milestones.tsv"), "All\t2\nScience\t1\nPhysics\t1\n");
  ASSERT_TRUE(built.product.listing);
  EXPECT_EQ(built.product.listing->rows.front(), (std::pair<std::string, std::int64_t>("All", 2)));
  EXPECT_FALSE(built.product.dataset);

  const auto counts = nlohmann::json::parse(built.provenance)["counts"];
  EXPECT_EQ(counts["pages read"], 12);
  EXPECT_EQ(counts["redirects passed over"], 1);
  EXPECT_EQ(counts["pages of other namespaces passed over"], 1);
  EXPECT_EQ(counts["articles"], 4);
  EXPECT_EQ(counts["pages of categories"], 6);
  EXPECT_EQ(counts["categories outside the graph, seen in articles alone"], 1) << "Unwritten";
  EXPECT_EQ(counts["category tags of articles"], 5) << "each once";
  EXPECT_EQ(counts["articles without a milestone"], 1);
  EXPECT_EQ(counts["articles whose title begins with a quotation mark"], 1);
}

TEST_F(WikiCs, SettingsDecideWhatIsAMilestoneAndWhatATag) {
  write("xx-pages-articles.xml", dump(categories() + articles()));
  const Built excluded = make({"milestones=3", "exclude=scien,all"});
  EXPECT_EQ(text_of(excluded, "milestonetree.tsv"), "Physics\tnull\nOptics\tPhysics\nArts\tnull\n");
  EXPECT_EQ(text_of(excluded, "ranked-categories.tsv").substr(0, 12), "Physics\t1.5\n");
  EXPECT_TRUE(contains(text_of(excluded, "ranked-categories.tsv"), "All\t-Infinity\n"));
  const Built pruned = make({"milestones=1", "prune=physics"});
  EXPECT_EQ(text_of(pruned, "page2cat.tsv"),
            "Prism\t\nChandelier\tAll\t\nNowhere\t\n\"Q\"\tAll\t\n");
  const Built spaced = make({"milestones=3", "exclude= scien , all"});
  EXPECT_EQ(text_of(spaced, "milestonetree.tsv"), text_of(excluded, "milestonetree.tsv"));
  const std::string none = message({"category-tags=as-released"});
  EXPECT_TRUE(contains(none, "has 4 articles and 0 pages of categories")) << none;
  EXPECT_TRUE(contains(none, "or --set category-tags=mediawiki")) << none;
  write("xx-pages-articles.xml",
        dump(page("Category:Top", 1, "[[Category: all |*]]") + page("Pin", 2, "[[Category:Top]]") +
             page("Pen", 3, "[[category:top]] [[Klasse:All]]")));
  EXPECT_EQ(text_of(make({"category-tags=as-released"}), "page2cat.tsv"), "Pin\tTop\t\nPen\t\n");
  EXPECT_EQ(text_of(make({}), "page2cat.tsv"), "Pin\tTop\t\nPen\tAll\tTop\t\n");
}

TEST_F(WikiCs, TitlesHaveTheCapitalsOfTheWikisLanguage) {
  const std::string text =
      dump(page("Klasse:All", 1, "") + page("Klasse:İl", 2, "[[Klasse:all]]") +
           page("Klasse:Əhali", 3, "[[Klasse:All]]") + page("Oak", 10, "[[Klasse:il]]") +
           page("Elm", 11, "[[Klasse:əhali]]"));
  write("xx-pages-articles.xml", replaced(text, "lang=\"xx\"", "lang=\"az\""));
  EXPECT_EQ(text_of(make({}), "page2cat.tsv"), "Oak\tİl\t\nElm\tƏhali\t\n");
  write("xx-pages-articles.xml", text);
  EXPECT_EQ(text_of(make({}), "page2cat.tsv"), "Oak\t\nElm\tƏhali\t\n");
}

TEST_F(WikiCs, NamesThatADumpDoesNotHaveComeFromSiteinfo) {
  write("xx-pages-articles.xml",
        dump(page("Klasse:All", 1, "") + page("Klasse:Trees", 2, "[[Klasse:All]]") +
             page("Oak", 10, "[[Klasse:Trees]]") + page("Elm", 11, "[[ Sorte : trees|*]]")));
  EXPECT_EQ(text_of(make({}), "page2cat.tsv"), "Oak\tTrees\t\nElm\t\n");
  folder_.write_gz("xx-1-siteinfo-namespaces.json.gz",
                   R"({"query":{"namespaces":{"14":{"id":14,"canonical":"Category","*":"Klasse"}},)"
                   R"("namespacealiases":[{"id":14,"*":"Sorte"}]}})");
  const Built built = make({});
  EXPECT_EQ(text_of(built, "page2cat.tsv"), "Oak\tTrees\t\nElm\tTrees\t\n");
  const auto provenance = nlohmann::json::parse(built.provenance);
  EXPECT_EQ(provenance["counts"]["further names of namespaces, by siteinfo"], 1);
  EXPECT_EQ(provenance["inputs"][0]["input"], "siteinfo");
  write("xx-1-siteinfo-namespaces.json.gz",
        R"({"namespaces":[{"id":14,"name":"Art"}],"namespacealiases":[]})");
  EXPECT_TRUE(contains(message(), "calls namespace 14 'Art', and ")) << message();
}

TEST_F(WikiCs, PartsAreReadAsOneInTheOrderOfTheirNumbers) {
  write("xx-pages-articles.xml", dump(categories() + articles()));
  const Built whole = make({"milestones=3"});
  fs::remove(folder_ / "xx-pages-articles.xml");
  write("xx-pages-articles2.xml-p1p9", dump(categories()));
  write("xx-pages-articles10.xml-p10p99", dump(articles()));
  const Built parts = make({"milestones=3"}, 4);
  ASSERT_EQ(parts.product.tables.size(), whole.product.tables.size());
  for (const BuildTable& one : whole.product.tables)
    EXPECT_EQ(text_of(parts, one.name), text_of(whole, one.name)) << one.name;
  const auto inputs = nlohmann::json::parse(parts.provenance)["inputs"];
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0]["file"], "xx-pages-articles2.xml-p1p9");
  EXPECT_EQ(inputs[1]["sha256"], sha256_file(folder_ / "xx-pages-articles10.xml-p10p99"));
}

TEST_F(WikiCs, AnArticleThatComesAgainCountsOnce) {
  write("xx-pages-articles1.xml", dump(categories() + articles()));
  write("xx-pages-articles2.xml", dump(page("Prism", 10, "[[Klasse:Arts]]")));
  const Built built = make({"milestones=3"});
  EXPECT_EQ(text_of(built, "page2cat.tsv"),
            "Chandelier\tAll\tScience\t\nNowhere\t\n\"Q\"\tAll\t\nPrism\tAll\t\n");
  EXPECT_EQ(nlohmann::json::parse(
                built.provenance)["counts"]["articles replaced by a later page with the same id"],
            1);
}

TEST_F(WikiCs, BadInputIsOneSentence) {
  EXPECT_TRUE(contains(message(), "its input articles (")) << message();
  write("xx-pages-articles1.xml", dump(articles()));
  EXPECT_TRUE(
      contains(message(), "has 4 articles and 0 pages of categories; give a dump with both"))
      << message();
  write("xx-pages-articles1.xml", dump(page("Klasse:All", 1, "")));
  EXPECT_TRUE(contains(message(), "has 0 articles and 1 page of categories")) << message();
  write("xx-pages-articles1.xml", dump(categories() + articles()));
  write("xx-pages-articles2.xml", dump("", "yywiki"));
  EXPECT_TRUE(contains(message(), "xx-pages-articles2.xml: is a dump of 'yywiki', and"))
      << message();
  write("xx-pages-articles2.xml", dump(articles()).substr(0, 700));
  EXPECT_TRUE(contains(message(), "xx-pages-articles2.xml: byte ")) << message();
  fs::remove(folder_ / "xx-pages-articles2.xml");
  EXPECT_TRUE(
      contains(message({"exclude=a,c"}),
               "xx-pages-articles1.xml: has 6 categories with pages, and all have a word of "
               "'exclude' in their names"))
      << message({"exclude=a,c"});
  EXPECT_TRUE(contains(message({"milestones=0"}), "milestones"));
  EXPECT_TRUE(contains(message({"category-tags=all"}), "'all'"));
}

TEST_F(WikiCs, TwoDumpsAreNotReadAsOne) {
  const auto refused = [&](const std::string& file) {
    write(file, dump(categories()));
    const std::string found = message();
    fs::remove(folder_ / file);
    return contains(found, "of two dumps, which hold the same pages");
  };
  write("xxwiki-20190801-pages-articles1.xml-p1p9", dump(categories() + articles()));
  for (const char* file :
       {"xxwiki-20190801-pages-articles-multistream1.xml-p1p9",
        "xxwiki-20200801-pages-articles.xml", "xxwiki-20190801-pages-meta-current1.xml-p1p9"})
    EXPECT_TRUE(refused(file)) << file;
  EXPECT_FALSE(refused("xxwiki-20190801-pages-articles2.xml-p10p99"));
  write("more.xml", dump(page("Pen", 99, "[[Klasse:All]]")));
  const BuildRecipe& recipe = find_build_recipe("wiki-cs");
  const Built named = build(
      recipe,
      find_inputs(recipe,
                  {"articles=" + (folder_ / "xxwiki-20190801-pages-articles1.xml-p1p9").string(),
                   "articles=" + (folder_ / "more.xml").string()}),
      {});
  EXPECT_TRUE(contains(text_of(named, "page2cat.tsv"), "Pen\tAll\t\n")) << "whoever names files";
}

TEST_F(WikiCs, NamesAcrossLinesAreOneLineInTables) {
  write("xx-pages-articles.xml",
        dump(page("Category:P", 1, "[[Category:Q\n\nSee\t[[P]]. [[Category:R]]") +
             page("Category:Q", 2, "") + page("Category:R", 3, "[[Category:Q]]") +
             page("Oak", 40, "[[Category:P]]")));
  const Built built = make({"category-tags=as-released"});
  for (const char* name : {"ranked-categories.tsv", "milestones.tsv", "milestonetree.tsv"}) {
    const std::string text = text_of(built, name);
    EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;
    EXPECT_EQ(std::ranges::count(text, '\t'), 4) << text;
    EXPECT_TRUE(contains(text, "\nQ  See [[P\t")) << text;
  }
  EXPECT_EQ(
      nlohmann::json::parse(
          built.provenance)["counts"]
                           ["categories whose names have tabs or line ends, written as blanks"],
      1);
}

TEST_F(WikiCs, IsAFolderThatAppearsWhole) {
  write("xx-pages-articles.xml", dump(categories() + articles()));
  const BuildRecipe& recipe = find_build_recipe("wiki-cs");
  const Built built = make({});
  write_built(built, folder_ / "out");
  EXPECT_EQ(read_text_file(folder_ / "out/page2cat.tsv"), text_of(built, "page2cat.tsv"));
  EXPECT_EQ(read_text_file(folder_ / "out/provenance.json"), built.provenance);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "out"), {}), 5);
  check_result_path(recipe, {}, folder_ / "new");
  const auto refused = [&](const char* name) {
    return complaint([&] { check_result_path(recipe, {}, folder_ / name); });
  };
  EXPECT_TRUE(contains(refused("out"), "holds something already"));
  EXPECT_TRUE(contains(refused("x.npz"), "makes no data set without its input 'labels'"));
  EXPECT_TRUE(contains(refused("xx-pages-articles.xml"), "give --out FOLDER"));
}

// Hashes are of what tests/data/wiki/milestones_oracle.py writes.
TEST_F(WikiCs, RealDumpAsAnotherProgramHasIt) {
  const char* data = std::getenv("CUPEL_DATA");
  const fs::path path = fs::path(data == nullptr ? "." : data) / "wikipedia/ltgwiki";
  if (data == nullptr || !fs::is_directory(path)) GTEST_SKIP() << "needs CUPEL_DATA/wikipedia";
  const BuildRecipe& recipe = find_build_recipe("wiki-cs");
  for (const int threads : {1, 3}) {
    const Built built =
        build(recipe, find_inputs(recipe, {path.string()}), {"milestones=60"}, {threads});
    const auto hash = [&](const char* name) { return sha256(text_of(built, name)); };
    EXPECT_EQ(hash("ranked-categories.tsv"),
              "c6abebd9eb2680c6fbd8d8d9e3447a5b17ca4f0707ad58bad55968927836a5fc");
    EXPECT_EQ(hash("milestonetree.tsv"),
              "6ef2288a1913dd76ec7636f9f45cb98b8223e7aa47644e7496b2078b23e764b9");
    EXPECT_EQ(hash("page2cat.tsv"),
              "cfc65a3958e4316f2fb9d2949e7264b6d2b0d43c07ad38cfa291f854d1458c10");
  }
}

}  // namespace
}  // namespace cupel::test
