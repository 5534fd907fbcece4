// wiki-cs with labels: articles, words, links and files, by hand. The same against another program,
// over made Wikipedias: tests/data/wiki/wiki_cs_oracle.py.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "cupel/data/build/recipe.h"
#include "cupel/data/build/wiki_cs/splits.h"
#include "cupel/data/check_split.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/text/punkt.h"
#include "data/build/made_text.h"

namespace cupel::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kPage =
    "CREATE TABLE `page` (`page_id` int, `page_namespace` int, `page_title` varbinary(255), "
    "`page_is_redirect` tinyint, `page_is_new` tinyint, `page_random` double);\n";
constexpr const char* kRedirect =
    "CREATE TABLE `redirect` (`rd_from` int, `rd_namespace` int, `rd_title` varbinary(255), "
    "`rd_interwiki` varbinary(32));\n";
constexpr const char* kPageLinks =
    "CREATE TABLE `pagelinks` (`pl_from` int, `pl_namespace` int, `pl_title` varbinary(255), "
    "`pl_from_namespace` int);\n";
constexpr const char* kNewPageLinks =
    "CREATE TABLE `pagelinks` (`pl_from` int, `pl_from_namespace` int, `pl_target_id` bigint);\n";
constexpr const char* kLinkTarget =
    "CREATE TABLE `linktarget` (`lt_id` bigint, `lt_namespace` int, `lt_title` varbinary(255));\n";
constexpr const char* kCategoryLinks =
    "CREATE TABLE `categorylinks` (`cl_from` int, `cl_to` varbinary(255), `cl_type` "
    "enum('page','subcat','file'));\n";

std::string page(const std::string& title, int id, const std::string& text,
                 const std::string& more = "") {
  return fmt::format(
      "<page><title>{}</title><ns>{}</ns><id>{}</id>{}<revision><id>{}</id><text>{}</text>"
      "</revision></page>\n",
      title, title.starts_with("Category:") ? 14 : 0, id, more, 1000 + id, text);
}

std::string redirect(const std::string& title, int id, const std::string& target) {
  return page(title, id, "#REDIRECT [[" + target + "]]",
              fmt::format("<redirect title=\"{}\" />", target));
}

// Plants and Beasts below Life. Oak and Elm are plants, Cat and Ox beasts; Moss is both, and Stub
// has no word. Quercus leads to Oak, Tree to Quercus.
std::string dump() {
  return "<mediawiki version=\"0.10\" xml:lang=\"en\"><siteinfo><dbname>xxwiki</dbname>"
         "<case>first-letter</case><namespaces><namespace key=\"0\" case=\"first-letter\" />"
         "<namespace key=\"14\" case=\"first-letter\">Category</namespace></namespaces>"
         "</siteinfo>\n" +
         page("Category:Life", 1, "") + page("Category:Plants", 2, "[[Category:Life]]") +
         page("Category:Beasts", 3, "[[Category:Life]]") +
         page("Oak", 40, "An '''oak''' {{big}} [[tree]], [[oak]]. [[Category:Plants]]") +
         page("Elm", 20, "Elm [[quercus|oak]] [[Oak]] [[Cat#Tail]] [[Moss]]. [[Category:Plants]]") +
         page("Cat", 30, "Cat cat [[Elm]] [[elm]] unheard. [[Category:Beasts]]") +
         page("Ox", 10, "Ox [[Quercus]]. [[Category:Beasts]]") +
         page("Moss", 50, "Moss [[Oak]]. [[Category:Plants]] [[Category:Beasts]]") +
         page("Stub", 60, "[[Category:Plants]]") +
         page("Oak (other)", 70, "Oak [[Cat]]. {{Disambig}} [[Category:Plants]]") +
         redirect("Quercus", 15, "Oak") + redirect("Tree", 16, "Quercus") + "</mediawiki>\n";
}

class WikiCsDataSet : public ::testing::Test {
 protected:
  void SetUp() override {
    write("xx-pages-articles.xml", dump());
    write("labels.json", R"({"Plants": ["Plants"], "Animals": "Beasts"})");
    write("vectors.txt", "oak 1 0\nelm 0 1\ncat 4 0\nox 0.5 0.25\n");
    write("xx-page.sql",
          std::string(kPage) +
              "INSERT INTO `page` VALUES (10,0,'Ox',0,0,0.1),(15,0,'Quercus',1,0,0.2),"
              "(16,0,'Tree',1,0,0.3),(20,0,'Elm',0,0,0.4),(30,0,'Cat',0,1,0.5),"
              "(31,1,'Cat',0,0,0.6),(40,0,'Oak',0,0,0.7),(50,0,'Moss',0,0,0.8),"
              "(60,0,'Stub',0,0,0.9);\n");
    write("xx-redirect.sql", std::string(kRedirect) +
                                 "INSERT INTO `redirect` VALUES (15,0,'Oak',''),(16,0,'Quercus',"
                                 "''),(99,0,'Cat','de');\n");
    write("xx-pagelinks.sql",
          std::string(kPageLinks) +
              "INSERT INTO `pagelinks` VALUES (40,0,'Tree',0),(40,0,'Oak',0),(20,0,'Quercus',0),"
              "(20,0,'Oak',0),(20,0,'Cat',0),(20,0,'Moss',0),(20,1,'Cat',0),(30,0,'Elm',0),"
              "(10,0,'Quercus',0),(60,0,'Oak',0);\n");
  }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  Built make(const std::vector<std::string>& settings, int threads = 1) const {
    const BuildRecipe& recipe = find_build_recipe("wiki-cs");
    return build(recipe, find_inputs(recipe, {folder_.root().string()}), settings, {threads});
  }
  std::string message(const std::vector<std::string>& settings = {}) const {
    return complaint([&] { (void)make(settings); });
  }
  static Json table(const Built& built, const std::string& name) {
    for (const BuildTable& one : built.product.tables) {
      std::string text;
      one.write([&](std::string_view piece) { text += piece; });
      if (one.name == name) return Json::parse(text);
    }
    return "no table " + name;
  }
  static std::int64_t count(const Built& built, const std::string& what) {
    return Json::parse(built.provenance)["counts"].value(what, std::int64_t{-1});
  }

  Folder folder_;
};

// Nodes: Ox 10, Elm 20, Cat 30, Oak 40. The titles that lead to them, in the order of the table:
// Ox, Quercus (to Oak), Elm, Cat, Oak.
const Json kLinks = {{3}, {3, 2, 3}, {1}, {3}};

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
  EXPECT_TRUE(contains(refused("labels.json", "[1]"), "a list where an object is needed"));
  EXPECT_TRUE(contains(refused("labels.json", R"({"A": []})"), "label 'A': names no category"));
  EXPECT_TRUE(contains(refused("labels.json", R"({"A": [3]})"), "label 'A': '3' where the name"));
  EXPECT_TRUE(contains(refused("labels.json", R"({"A": "Plants", "A": "Life"})"), "given twice"));
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

TEST_F(WikiCsDataSet, GoesOnWhereAnEndedBuildWas) {
  const BuildRecipe& recipe = find_build_recipe("wiki-cs");
  const BuildPaths inputs = find_inputs(recipe, {folder_.root().string()});
  const TempFolder work;
  std::set<std::string> steps;
  const auto made = [&](const std::vector<std::string>& settings) {
    steps.clear();
    const Built built = build(
        recipe, inputs, settings, {1}, [&](const BuildStep& step) { steps.insert(step.what); },
        work.path());
    EXPECT_EQ(built.notes, std::vector<std::string>());
    return built.provenance + table(built, "data.json").dump() +
           table(built, "metadata.json").dump();
  };
  const auto reads = [&](const std::string& what) { return steps.contains("reading " + what); };
  const std::string first = made({});
  EXPECT_TRUE(reads("xx-pages-articles.xml") && reads("texts of xx-pages-articles.xml"));
  EXPECT_TRUE(reads("pagelinks"));
  EXPECT_EQ(made({}), first);
  EXPECT_FALSE(reads("xx-pages-articles.xml") || reads("pagelinks"));
  EXPECT_TRUE(reads("vectors"));
  EXPECT_EQ(made({"links=text"}).substr(0, 30), first.substr(0, 30));
  EXPECT_FALSE(reads("xx-pages-articles.xml")) << "categories do not depend on links";
  EXPECT_TRUE(reads("texts of xx-pages-articles.xml"));
  (void)made({"milestones=9"});
  EXPECT_TRUE(reads("xx-pages-articles.xml"));

  for (const auto& kept : fs::directory_iterator(work.path()))
    fs::resize_file(kept.path(), fs::file_size(kept.path()) - 1);
  EXPECT_EQ(made({}), first) << "damaged ones are none";
  EXPECT_TRUE(reads("xx-pages-articles.xml"));
  EXPECT_EQ(made({}), first);
  EXPECT_FALSE(reads("xx-pages-articles.xml"));
  fs::last_write_time(folder_ / "xx-pages-articles.xml",
                      fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(made({}), first);
  EXPECT_TRUE(reads("xx-pages-articles.xml")) << "a file that was written again is another";

  const TempFolder model;
  for (const char* name : kPunktFiles) std::ofstream(model / name) << "";
  BuildPaths with_model = inputs;
  with_model["punkt"] = {model.path()};
  const auto reads_texts = [&] {
    bool read = false;
    (void)build(
        recipe, with_model, {}, {1},
        [&](const BuildStep& step) { read |= step.what.starts_with("reading texts"); },
        work.path());
    return read;
  };
  EXPECT_TRUE(reads_texts());
  EXPECT_FALSE(reads_texts());
  std::ofstream(model / kPunktFiles[0]) << "dr\n";
  EXPECT_TRUE(reads_texts()) << "another model";

  const Built unkept = build(recipe, inputs, {}, {1}, {}, folder_ / "labels.json");
  ASSERT_EQ(unkept.notes.size(), 2u);
  EXPECT_TRUE(contains(unkept.notes.front(), "A finished step could not be kept: "))
      << unkept.notes.front();
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

TEST(WikiCsSplits, HaveFourPartsOfEachClass) {
  std::vector<Index> labels;
  const int sizes[] = {295, 667, 2153};  // of the released data's first classes
  for (Index c = 0; c < 3; ++c) labels.insert(labels.end(), static_cast<std::size_t>(sizes[c]), c);
  const std::vector<Split> splits = wiki_cs::draw_splits(labels, 3, 20, 42);
  ASSERT_EQ(splits.size(), 20u);
  for (const Split& split : splits) {
    check_parts(split, Unit::kNode, 3115, "made");
    EXPECT_EQ(split.train.size(), 14u + 33 + 107);
    EXPECT_EQ(split.stopping.size(), 88u + 200 + 645);
    EXPECT_EQ(split.test.size(), 147u + 333 + 1076);
    EXPECT_EQ(split.parts()[1]->size() + 154 + 933 + 1556, labels.size());
    EXPECT_EQ(split.test, splits.front().test);
  }
  EXPECT_NE(splits[0].train, splits[1].train);
  // random.Random(42); the first class alone: shuffle(ids), then shuffle(visible) for each split.
  const std::vector<Split> first = wiki_cs::draw_splits(std::span(labels).first(295), 1, 2, 42);
  EXPECT_EQ(first[0].train, (std::vector<Index>{54, 62, 101, 162, 171, 172, 177, 186, 199, 212, 221,
                                                222, 277, 288}));
  EXPECT_EQ(first[1].train,
            (std::vector<Index>{11, 12, 14, 23, 35, 54, 58, 119, 213, 216, 229, 243, 249, 289}));
}

}  // namespace
}  // namespace cupel::test
