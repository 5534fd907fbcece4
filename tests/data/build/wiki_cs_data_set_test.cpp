// wiki-cs with labels: articles, words, links and files, by hand. The same against another program,
// over made Wikipedias: tests/data/wiki/wiki_cs_oracle.py.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cupel/data/formats/file.h"
#include "cupel/data/formats/format.h"
#include "data/build/made_wikipedia.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;

TEST_F(WikiCsDataSet, HasArticlesOfOneLabelTheirWordsAndLinks) {
  const Built built = make({});
  const Json data = table(built, "data.json"), metadata = table(built, "metadata.json");
  EXPECT_EQ(data["labels"], (Json{1, 0, 1, 0}));
  EXPECT_EQ(data["links"], kLinks) << "Tree leads to a redirect, Moss has two labels";
  EXPECT_EQ(metadata["labels"], (Json{{"0", "Plants"}, {"1", "Animals"}}));
  const Json& elm = metadata["nodes"][1];
  EXPECT_EQ(elm["id"], 20);
  EXPECT_EQ(elm["title"], "Elm");
  EXPECT_EQ(elm["label"], "Plants");
  EXPECT_EQ(elm["outlinks"], (Json{40, 30, 40}));
  EXPECT_EQ(elm["tokens"], (Json{"elm", "oak", "oak", "cat", "tail", "moss"}));
  // Sums over all words: cat cat elm elm unheard.
  EXPECT_FLOAT_EQ(data["features"][2][0].get<float>(), 8.0f / 5);
  EXPECT_FLOAT_EQ(data["features"][2][1].get<float>(), 2.0f / 5);
  ASSERT_TRUE(built.product.dataset);
  const Dataset& dataset = *built.product.dataset;
  EXPECT_EQ(dataset.class_names(), (std::vector<std::string>{"Plants", "Animals"}));
  EXPECT_EQ(dataset.adjacency.entries(), 5);
  EXPECT_EQ(dataset.repeated_arcs, 1);
  EXPECT_EQ(dataset.adjacency.values, (AlignedVector<float>{1, 1, 2, 1, 1}));
  EXPECT_TRUE(dataset.stored_splits.empty());
  EXPECT_EQ(data["train_masks"].size(), 20u);

  EXPECT_EQ(count(built, "articles of several labels, left out"), 1);
  EXPECT_EQ(count(built, "articles of one label"), 6);
  EXPECT_EQ(count(built, "articles with a label that the table page lacks, left out"), 1);
  EXPECT_EQ(count(built, "articles without a word, left out"), 1) << "Stub";
  EXPECT_EQ(count(built, "redirects to other wikis, passed over"), 1);
  EXPECT_EQ(count(built, "redirects to nodes"), 1);
  EXPECT_EQ(count(built, "links of nodes to pages that are no nodes, left out"), 3)
      << "Tree, Moss, Talk:Cat";
  EXPECT_EQ(count(built, "links that repeat another"), 1);
  EXPECT_EQ(count(built, "links from a node to itself"), 1);
  EXPECT_EQ(count(built, "splits with an empty part, since classes are small: no use to training"),
            20);
}

TEST_F(WikiCsDataSet, IsTheSameByTextByIdsAndOnAnyNumberOfThreads) {
  const Built tables = make({});
  const Built text = make({"links=text"}, 3);
  EXPECT_EQ(table(text, "data.json"), table(tables, "data.json"));
  EXPECT_EQ(table(text, "metadata.json"), table(tables, "metadata.json"));
  EXPECT_EQ(count(text, "articles without a word, left out"), 2) << "no table lacks Oak (other)";
  EXPECT_EQ(count(text, "articles that name themselves in brackets, which is no link"), 1) << "Ox";
  EXPECT_EQ(count(text, "links from a node to itself"), 1) << "Oak";

  write("xx-linktarget.sql",
        std::string(kLinkTarget) +
            "INSERT INTO `linktarget` VALUES (1,0,'Oak'),(2,0,'Cat'),(3,1,'Cat'"
            "),(70,0,'Elm'),(5,0,'Quercus'),(6,0,'Nowhere');\n");
  write("xx-pagelinks.sql",
        std::string(kNewPageLinks) +
            "INSERT INTO `pagelinks` VALUES (40,0,1),(20,0,5),(20,0,1),(20,0,2),"
            "(20,0,3),(30,0,70),(10,0,5),(40,0,6),(40,0,8);\n");
  const Built ids = make({});
  EXPECT_EQ(table(ids, "data.json"), table(tables, "data.json"));
  EXPECT_EQ(count(ids, "rows of pagelinks whose target id linktarget lacks"), 1);
}

TEST_F(WikiCsDataSet, SettingsDecideWhatCounts) {
  EXPECT_EQ(table(make({"repeats=drop"}), "data.json")["links"], (Json{{3}, {3, 2}, {1}, {3}}));
  // The sixth column is page_random here, which is neither: nothing is a redirect.
  write("xx-page.sql", std::string(kPage) +
                           "INSERT INTO `page` VALUES (10,0,'Ox',0,0,0),(15,0,'Quercus',1,0,1),"
                           "(20,0,'Elm',0,0,0),(30,0,'Cat',0,1,0),(40,0,'Oak',0,0,1);\n");
  EXPECT_EQ(table(make({"redirect-flag=fifth"}), "data.json")["links"],
            (Json{Json::array(), {2}, {1}, Json::array()}))
      << "Oak passes for a redirect, and Quercus leads to it no more";
  const Built all = make({"links=text", "disambiguation="});
  EXPECT_EQ(table(all, "metadata.json")["nodes"].size(), 5u) << "Oak (other)";
  EXPECT_EQ(table(make({"splits=3"}), "data.json")["train_masks"].size(), 3u);

  write("xx-categorylinks.sql",
        std::string(kCategoryLinks) +
            "INSERT INTO `categorylinks` VALUES (2,'Life','subcat'),(3,'Life','subcat'),"
            "(10,'Plants','page'),(20,'Plants','page'),(30,'Beasts','page');\n");
  const Json by_table = table(make({"categories=sql", "links=text"}), "metadata.json");
  ASSERT_EQ(by_table["nodes"].size(), 3u);
  EXPECT_EQ(by_table["nodes"][0]["label"], "Plants") << "Ox, as the table has it";
}

TEST_F(WikiCsDataSet, LinksToTheWikisOwnLanguageAreItsOwn) {
  const Built plain = make({"links=text"});
  std::string own = replaced(dump(), "xxwiki", "nds_nlwiki");
  own = replaced(own, "[[Elm]] [[elm]]", "[[nds-nl:Elm|Elm]] [[:NDS-NL:elm|elm]]");
  write("xx-pages-articles.xml", own);
  const Built built = make({"links=text"});
  EXPECT_EQ(table(built, "data.json"), table(plain, "data.json"));
  EXPECT_EQ(table(built, "metadata.json"), table(plain, "metadata.json"));
}

TEST_F(WikiCsDataSet, FilesAndCategoriesLeaveByAnyOfTheirNames) {
  const Json plain = table(make({"links=text"}), "metadata.json");
  std::string other = replaced(dump(), "An '''oak'''", "[[Bild:oak|thumb|A [[big]] tree]] An oak");
  other = replaced(other, "|oak]]. [[Category:Plants]]", "|oak]]. [[Sorte:Plants]]");
  write("xx-pages-articles.xml", other);
  write("xx-1-siteinfo-namespaces.json",
        R"({"query":{"namespacealiases":[{"id":14,"*":"Sorte"},{"id":6,"*":"Bild"}]}})");
  EXPECT_EQ(table(make({"links=text"}), "metadata.json"), plain);
}

TEST_F(WikiCsDataSet, FaultsOfTablesAreCountedOnce) {
  const std::string cut = "tables without mysqldump's last line, so that rows may be missing: ";
  const std::string odd = "titles of page that are not UTF-8, which no page has";
  const std::string pages = read_text_file(folder_ / "xx-page.sql");
  write("xx-page.sql", replaced(pages, "'Moss'", "'Mo\xdf'"));
  const Built faulty = make({});
  for (const char* table : {"page", "redirect", "pagelinks"})
    EXPECT_EQ(count(faulty, cut + table), 1) << table;
  EXPECT_EQ(count(faulty, odd), 1);
  for (const std::string& what : {cut + "page", odd})
    EXPECT_EQ(std::ranges::count(faulty.counts, std::pair(what, std::int64_t{1})), 1) << what;
  write("xx-page.sql", pages + "-- Dump completed on 2020-01-01  1:00:00\n");
  const Built whole = make({});
  EXPECT_EQ(count(whole, cut + "page"), -1);
  EXPECT_EQ(count(whole, cut + "redirect"), 1);
  EXPECT_EQ(count(whole, odd), -1);
}

TEST_F(WikiCsDataSet, NamesOfTheLabelMapThatAreNoMilestonesAreTold) {
  const Json before = table(make({}), "data.json");
  write("labels.json", R"({"Plants": [" Plants_", "Plantes", "x\ny"], "Animals": "Beasts"})");
  const Built built = make({});
  EXPECT_EQ(table(built, "data.json"), before);
  EXPECT_EQ(count(built, "categories of the label map"), 4);
  EXPECT_EQ(
      count(built, R"(categories of the label map that are no milestone: 'Plantes', 'x\x0ay')"), 2)
      << built.provenance;
}

TEST_F(WikiCsDataSet, NamesOfTheLabelMapAreThoseOfMilestones) {
  const Json before = table(make({"links=text"}), "data.json");
  std::string text = dump();
  for (int k = 0; k < 6; ++k) text = replaced(text, "Category:Plants", "Category:Green_things");
  write("xx-pages-articles.xml", text);
  write("labels.json", R"({"Plants": "Green_things", "Animals": "Beasts"})");
  const Built released = make({"links=text", "category-tags=as-released"});
  EXPECT_EQ(table(released, "data.json"), before) << "as milestones.tsv has it";
  write("labels.json", R"({"Plants": "Green things", "Animals": "Beasts"})");
  EXPECT_TRUE(contains(message({"links=text", "category-tags=as-released"}),
                       "no article is under 'Green things'"));
  write("xx-pages-articles.xml",
        replaced(text, "<title>Category:Green_", "<title>Category:Green "));
  write("labels.json", R"({"Plants": "Green_things", "Animals": "Beasts"})");
  EXPECT_EQ(table(make({"links=text"}), "data.json"), before) << "as MediaWiki has it";
  write("labels.json", R"({"A": "Green_things", "B": "Green things"})");
  EXPECT_TRUE(contains(message({"links=text"}),
                       "labels.json: 'Green things' is under 'A' and 'B'; give it to one"));
}

TEST_F(WikiCsDataSet, OldDumpsTellRedirectsByTextOrTable) {
  std::string old = dump();
  for (const char* element : {"<redirect title=\"Oak\" />", "<redirect title=\"Quercus\" />"})
    old = replaced(old, element, "");
  old = replaced(old, "version=\"0.10\"", "version=\"0.3\"");
  old = replaced(old, "#REDIRECT [[Oak]]", " #aidesöiń: [[Oak]] [[Category:Plants]]");
  write("xx-pages-articles.xml", old);
  const Built text = make({"links=text"}), tables = make({});
  for (const Built* built : {&text, &tables}) {
    EXPECT_EQ(table(*built, "data.json")["links"], kLinks);
    EXPECT_EQ(table(*built, "metadata.json")["nodes"].size(), 4u);
  }
  EXPECT_EQ(count(tables, "articles with a label that are redirects by the table page, left out"),
            1);
}

// As dumps had it from 2009 to 2011.
TEST_F(WikiCsDataSet, ARedirectLeadsToItsFirstLink) {
  std::string old = replaced(dump(), "<redirect title=\"Oak\" />", "<redirect />");
  write("xx-pages-articles.xml", old);
  EXPECT_EQ(table(make({"links=text"}), "data.json")["links"], kLinks);
  write("xx-pages-articles.xml",
        replaced(old, "#REDIRECT [[Oak]]", "#REDIRECT [[Category:Plants]], or [[Oak]]"));
  const Built elsewhere = make({"links=text"});
  EXPECT_EQ(count(elsewhere, "redirects to nodes"), 0);
  EXPECT_EQ(table(elsewhere, "data.json")["links"], (Json{Json::array(), {2, 3}, {1}, {3}}));
}

TEST_F(WikiCsDataSet, TakesReadyTexts) {
  write("texts.jsonl",
        "{\"id\": \"20\", \"title\": \"Elm\", \"text\": \"old\"}\n\n"
        "{\"id\": 30, \"text\": \"A cat.\"}\n{\"id\": \"20\", \"text\": \"Elm, elm.\"}\n"
        "{\"id\": \"999\", \"text\": \"other\"}\n");
  for (const char* links : {"links=sql", "links=text"}) {
    const Json metadata = table(make({links}), "metadata.json");
    ASSERT_EQ(metadata["nodes"].size(), 2u) << "the others have no text";
    EXPECT_EQ(metadata["nodes"][0]["tokens"], (Json{"elm", "elm"})) << "the last text counts";
    EXPECT_EQ(metadata["nodes"][1]["tokens"], (Json{"cat"}));
    EXPECT_EQ(metadata["nodes"][0]["outlinks"], (Json{30}));
  }
  // WikiExtractor writes folders of files.
  const BuildRecipe& recipe = find_build_recipe("wiki-cs");
  const TempFolder extracted;
  for (const char* folder : {"AA", "AB"}) fs::create_directory(extracted / folder);
  std::ofstream(extracted / "AA" / "wiki_00") << "{\"id\": \"20\", \"text\": \"Elm.\"}\n";
  std::ofstream(extracted / "AB" / "wiki_00") << "{\"id\": \"30\", \"text\": \"Cat.\"}\n";
  const auto named = [&](const fs::path& path) {
    return find_inputs(recipe, {folder_.root().string(), "text=" + path.string()});
  };
  EXPECT_EQ(named(extracted.path()).at("text"),
            (std::vector<fs::path>{extracted / "AA/wiki_00", extracted / "AB/wiki_00"}));
  const Built built = build(recipe, named(extracted.path()), {});
  EXPECT_EQ(table(built, "metadata.json")["nodes"].size(), 2u);
  EXPECT_TRUE(contains(built.provenance, "\"wiki_00\""));
  EXPECT_TRUE(contains(built.provenance, "\"AB/wiki_00\"")) << "two files of one name";
  fs::create_directory(extracted / "empty");
  EXPECT_TRUE(contains(complaint([&] { (void)named(extracted / "empty"); }),
                       "has no file of the input 'text', which are called wiki_"));
  write("texts.jsonl", "{\"id\": \"20\", \"text\": 1}\n");
  EXPECT_TRUE(contains(message(), "texts.jsonl: line 1: has no text")) << message();
  write("texts.jsonl", "{\"id\": \"x\", \"text\": \"\"}\n");
  EXPECT_TRUE(contains(message(), "line 1: has no id")) << message();
  write("texts.jsonl", "{\"id\": \n");
  EXPECT_TRUE(contains(message(), "line 1: is no JSON object")) << message();
  write("texts.jsonl", "{\"id\": 1, \"text\": \"a\"}\n");
  EXPECT_TRUE(contains(message(), "none of 5 articles of one label has a word")) << message();
}

TEST_F(WikiCsDataSet, BadInputIsOneSentence) {
  const auto refused = [&](const std::string& file, const std::string& text,
                           const std::vector<std::string>& settings = {}) {
    const std::string before = read_text_file(folder_ / file);
    text.empty() ? void(fs::remove(folder_ / file)) : write(file, text);
    const std::string found = message(settings);
    write(file, before);
    return found;
  };
  EXPECT_TRUE(contains(refused("vectors.txt", ""), "its input 'vectors' is not given"));
  EXPECT_TRUE(contains(refused("xx-page.sql", ""),
                       "its input 'page' is not given; use --from "
                       "page=FILE, or --set links=text"));
  EXPECT_TRUE(contains(message({"categories=sql"}), "its input 'categorylinks' is not given"));
  EXPECT_TRUE(contains(refused("labels.json", "{}"), "labels.json: names no label"));
  EXPECT_TRUE(contains(refused("labels.json", "[1]"), "'[1]' where an object is needed"));
  EXPECT_TRUE(contains(refused("labels.json", R"({"A": []})"), "label 'A': names no category"));
  EXPECT_TRUE(contains(refused("labels.json", R"({"A": [3]})"), "label 'A': '3' where the name"));
  EXPECT_TRUE(contains(refused("labels.json", R"({"A": "Plants", "A": "Life"})"), "given twice"));
  EXPECT_TRUE(contains(refused("labels.json", R"({"A": ["Plants", "Life"], "B": "Plants"})"),
                       "labels.json: 'Plants' is under 'A' and 'B'; give it to one"));
  EXPECT_TRUE(contains(refused("labels.json", R"({"A": ["Nothing"]})"),
                       "no article is under 'Nothing', the categories of label 'A'"));
  EXPECT_TRUE(contains(refused("vectors.txt", "oak 1 0\nelm 1\n"), "vectors.txt: line 2"));
  EXPECT_TRUE(contains(refused("xx-page.sql", std::string(kRedirect)), "xx-page.sql"));
  EXPECT_TRUE(contains(
      refused("xx-page.sql", std::string(kPage) + "INSERT INTO `page` VALUES (1,0,'A',0,0,0);\n"),
      "has none of the titles of 6 articles with a label in its 1 row"));
  const std::string links =
      std::string(kNewPageLinks) + "INSERT INTO `pagelinks` VALUES (40,0,1),(20,0,5);\n";
  EXPECT_TRUE(contains(refused("xx-pagelinks.sql", links), "linktarget"));
  write("xx-linktarget.sql",
        std::string(kLinkTarget) + "INSERT INTO `linktarget` VALUES (7,0,'Oak');\n");
  EXPECT_TRUE(contains(refused("xx-pagelinks.sql", links),
                       "xx-linktarget.sql: has no row for 1, nor for any other target id"));
}

// Tables that name targets both ways, as in 2023 and 2025.
TEST_F(WikiCsDataSet, IdsWithoutLinktargetAreOneSentence) {
  write("xx-pagelinks.sql",
        "CREATE TABLE `pagelinks` (`pl_from` int, `pl_namespace` int, `pl_title` varbinary(255), "
        "`pl_from_namespace` int, `pl_target_id` bigint);\n"
        "INSERT INTO `pagelinks` VALUES (20,0,'Oak',0,NULL),(40,0,'',0,7),(20,0,'',0,8);\n");
  EXPECT_TRUE(contains(message(),
                       "xx-pagelinks.sql: has 2 rows with an id where the title of a "
                       "target belongs, the first with 7; only table 'linktarget'"))
      << message();
  write("xx-categorylinks.sql",
        "CREATE TABLE `categorylinks` (`cl_from` int, `cl_to` varbinary(255), `cl_target_id` "
        "bigint, `cl_type` enum('page','subcat','file'));\n"
        "INSERT INTO `categorylinks` VALUES (2,'Life',0,'subcat'),(40,'',6,'page');\n");
  EXPECT_TRUE(contains(message({"categories=sql"}), "xx-categorylinks.sql: has 1 row with an id"))
      << message({"categories=sql"});
}

TEST_F(WikiCsDataSet, WrongTablesAreToldBeforeTextsAreRead) {
  write("xx-pages-articles.xml", "<no dump");
  write("xx-pagelinks.sql", kNewPageLinks);
  EXPECT_TRUE(contains(message(), "xx-pagelinks.sql: table 'pagelinks' has its targets as ids"))
      << message();
  write("xx-linktarget.sql", kPage);
  EXPECT_TRUE(contains(message(), "xx-linktarget.sql")) << message();
  write("xx-redirect.sql", kPageLinks);
  EXPECT_TRUE(contains(message(), "xx-redirect.sql")) << message();
  EXPECT_TRUE(contains(message({"links=text"}), "xx-pages-articles.xml")) << message();
}

TEST_F(WikiCsDataSet, IsAFolderOrAFile) {
  const BuildRecipe& recipe = find_build_recipe("wiki-cs");
  const BuildPaths inputs = find_inputs(recipe, {folder_.root().string()});
  const Built built = make({});
  check_result_path(recipe, inputs, folder_ / "new.npz");
  write_built(built, folder_ / "new.npz");
  EXPECT_EQ(content_hash(read_dataset(folder_ / "new.npz")), content_hash(*built.product.dataset));
  EXPECT_EQ(Json::parse(built.provenance)["content_hash"], content_hash(*built.product.dataset));
  write_built(built, folder_ / "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "new"), {}), 8);
}

}  // namespace
}  // namespace cupel::test
