#include "cupel/data/formats/tu_dataset.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "data/formats/made_tu.h"

namespace cupel {
namespace {

using made::expect_error;
using made::TuTexts;
namespace fs = std::filesystem;

std::vector<float> floats(const AlignedVector<float>& values) {
  return {values.begin(), values.end()};
}

Dataset read_texts(const TuTexts& texts) {
  const made::Folder folder;
  made::write_tu(folder.path(), "X", texts);
  return read_dataset(folder.path());
}

TEST(TuDataset, AgreesWithASlowReader) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    made::TuNoise noise;
    noise.shuffled_arcs = seed % 4 == 1;
    noise.scattered_nodes = seed % 4 == 2;
    TuTexts texts = made::random_tu(seed, noise);
    if (seed % 3 == 1) texts.erase("_edge_labels.txt");
    if (seed % 3 == 2) texts.erase("_edge_attributes.txt");
    if (seed % 5 == 1) texts.erase("_edge_labels.txt"), texts.erase("_edge_attributes.txt");
    if (seed % 5 == 2) texts.erase("_node_labels.txt"), texts.erase("_node_attributes.txt");
    made::expect_same(read_texts(texts), made::read_tu_slowly(texts));
    ASSERT_FALSE(HasFailure());
  }
}

// Lines straddle blocks, and graphs are finished a few at a time, or all at the end where their
// arcs come in any order.
TEST(TuDataset, ManyArcsAgreeWithASlowReader) {
  for (const bool shuffled : {false, true}) {
    SCOPED_TRACE(shuffled);
    made::TuNoise noise;
    noise.graphs = 120;
    noise.most_nodes = 60;
    noise.density = 0.5;
    noise.shuffled_arcs = shuffled;
    TuTexts texts = made::random_tu(7, noise);
    ASSERT_GT(texts["_A.txt"].size(), std::size_t{500'000});
    made::expect_same(read_texts(texts), made::read_tu_slowly(texts));
  }
}

TEST(TuDataset, AZipHoldsTheSame) {
  const TuTexts texts = made::random_tu(3, {});
  const std::string hash = content_hash(read_texts(texts));
  const made::Folder folder;
  made::write_tu_zip(folder / "any.zip", "deep/down/X", texts);
  EXPECT_EQ(content_hash(read_dataset(folder / "any.zip")), hash);
  EXPECT_EQ(content_hash(read_dataset(folder.path())), hash) << "the only archive of a folder";
  EXPECT_EQ(read_dataset(folder.path()).name, "X");
  fs::create_directory(folder / "sub");
  made::write_tu(folder.path() / "sub" / "raw", "X", texts);
  EXPECT_EQ(content_hash(read_dataset(folder / "sub")), hash) << "in the subfolder raw";
}

TEST(TuDataset, ByHand) {
  const Dataset d = read_texts(made::small_tu());
  EXPECT_EQ(d.name, "X");
  EXPECT_EQ(d.graphs->start, (std::vector<Index>{0, 3, 6, 8}));
  EXPECT_EQ(d.class_names(), (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(d.labels(), (std::vector<Index>{0, 1, 1}));
  EXPECT_EQ(std::get<Csr>(d.features).columns, (std::vector<Index>{0, 1, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 2, 0, 2, 0, 1, 4, 5, 3, 5, 3, 4, 7, 6}));
  EXPECT_EQ(d.graphs->arc_attributes.cols, 2);
  EXPECT_EQ(d.graphs->arc_attributes(3, 0), 0.0f);
  EXPECT_EQ(d.graphs->arc_attributes(3, 1), 1.0f) << "2 -> 3 has label 2";
  EXPECT_FALSE(d.has_tasks());
  EXPECT_EQ(d.repeated_arcs, 0);
}

TEST(TuDataset, EachDirectionKeepsItsAttributesAndOneAloneIsMirrored) {
  const Dataset d = read_texts({{"_A.txt", "1,2\n2,1\n2,3\n1,1\n1,2\n"},
                                {"_edge_attributes.txt", "1\n2\n3\n9\n8\n"},
                                {"_graph_indicator.txt", "1\n1\n1\n1\n"},
                                {"_graph_labels.txt", "0\n"}});
  EXPECT_EQ(d.adjacency.row_ptr, (std::vector<Offset>{0, 1, 3, 4, 4}));
  EXPECT_EQ(floats(d.graphs->arc_attributes.values), (std::vector<float>{1, 2, 3, 3}));
  EXPECT_EQ(d.repeated_arcs, 1);
  EXPECT_EQ(d.graphs->dropped_loops, 1);
}

TEST(TuDataset, GraphsWithoutEdgesOrNodesStay) {
  const Dataset d = read_texts({{"_A.txt", "3,2\n"},
                                {"_graph_indicator.txt", "1\n3\n3\n"},
                                {"_graph_labels.txt", "4\n4\n2\n7\n"}});
  EXPECT_EQ(d.graphs->start, (std::vector<Index>{0, 1, 1, 3, 3}));
  EXPECT_EQ(d.labels(), (std::vector<Index>{1, 1, 0, 2}));
  EXPECT_EQ(d.adjacency.entries(), 2);
  EXPECT_EQ(feature_count(d.features), 0);
  EXPECT_EQ(std::get<Csr>(d.features).rows, 3);
}

TEST(TuDataset, NodesOfAGraphAreBroughtTogetherInTheOrderOfTheFile) {
  const Dataset d = read_texts({{"_A.txt", "1,3\n2,4\n"},
                                {"_graph_indicator.txt", "2\n1\n2\n1\n"},
                                {"_node_attributes.txt", "10\n20\n30\n40\n"},
                                {"_graph_labels.txt", "0\n1\n"}});
  EXPECT_EQ(floats(d.graphs->node_attributes.values), (std::vector<float>{20, 40, 10, 30}));
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 0, 3, 2}));
}

TEST(TuDataset, LooseWritingIsRead) {
  TuTexts texts = made::small_tu();
  const std::string hash = content_hash(read_texts(texts));
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    std::string out;
    for (std::size_t at = 0;;) {
      const std::size_t found = text.find(from, at);
      out += text.substr(at, found - at);
      if (found == std::string::npos) return out;
      out += to;
      at = found + from.size();
    }
  };
  TuTexts loose = texts;
  for (auto& [ending, text] : loose) text = replaced(text, "\n", "\r\n") + "\r\n \n";
  EXPECT_EQ(content_hash(read_texts(loose)), hash) << "CR LF, empty lines at the end";
  loose = texts;
  for (auto& [ending, text] : loose) text.pop_back();
  EXPECT_EQ(content_hash(read_texts(loose)), hash) << "no last line feed";
  loose["_A.txt"] = "\xef\xbb\xbf  " + replaced(texts["_A.txt"], ", ", "\t,\t");
  loose["_graph_labels.txt"] = "-1.0\n1.00\n+1";
  EXPECT_EQ(content_hash(read_texts(loose)), hash) << "byte-order mark, blanks, decimals";
}

TEST(TuDataset, SeveralLabelsAreTasks) {
  TuTexts texts = made::small_tu();
  texts["_graph_labels.txt"] = "0, 1 ,nan\n,0,1\n1,NaN,\n";
  const Dataset d = read_texts(texts);
  ASSERT_EQ(d.task_answers().rows, 3);
  ASSERT_EQ(d.task_answers().cols, 3);
  const float want[] = {0, 1, NAN, NAN, 0, 1, 1, NAN, NAN};
  for (std::size_t k = 0; k < 9; ++k) {
    if (std::isnan(want[k])) {
      EXPECT_TRUE(std::isnan(d.task_answers().values[k])) << k;
    } else {
      EXPECT_EQ(d.task_answers().values[k], want[k]) << k;
    }
  }
  EXPECT_EQ(d.classes(), 2);
  texts["_graph_labels.txt"] = "0\nnan\n1\n";
  EXPECT_EQ(read_texts(texts).task_answers().cols, 1);
}

TEST(TuDataset, AStoredSplitIsRead) {
  const TuTexts split = {{"_scaffold_train.txt", "2\n"},
                         {"_scaffold_valid.txt", "0\r\n"},
                         {"_scaffold_test.txt", "1"}};
  TuTexts texts = made::small_tu();
  texts.insert(split.begin(), split.end());
  const Dataset d = read_texts(texts);
  ASSERT_EQ(d.stored_splits.size(), 1u);
  EXPECT_EQ(d.stored_splits[0].train, (std::vector<Index>{2}));
  EXPECT_EQ(d.stored_splits[0].valid, (std::vector<Index>{0}));
  EXPECT_EQ(d.stored_splits[0].test, (std::vector<Index>{1}));
  const made::Folder folder;  // the split beside the archive
  made::write_tu_zip(folder / "X.zip", "X/X", made::small_tu());
  made::write_tu(folder.path(), "X", split);
  EXPECT_EQ(content_hash(read_dataset(folder.path())), content_hash(d));
}

TEST(TuDataset, OtherFilesAreIgnored) {
  const made::Folder folder;
  made::write_tu(folder.path(), "X", made::small_tu());
  made::write_file(folder / "README.md", "read me");
  made::write_file(folder / "X_label_readme.txt", "5 = carbon");
  made::write_file(folder / "._X_A.txt", "what macOS leaves behind");
  made::write_file(folder / "table.csv", "a,b\n1,2\n");
  made::write_tu_zip(folder / "X.zip", "X/X", {{"_A.txt", "broken"}});
  EXPECT_EQ(read_dataset(folder.path()).examples(), 3);
}

// What a hostile file holds, and what its error says beside the file's name.
struct Hostile {
  const char* ending;
  const char* text;  // nullptr: no such file
  std::vector<std::string> says;
};

TEST(TuDataset, HostileFilesAreRefusedInOneSentence) {
  const std::string ones = "1\n1\n1\n2\n2\n2\n3\n";
  const Hostile cases[] = {
      {"_A.txt", nullptr, {"there is no such file"}},
      {"_A.txt", "", {"line 1", "empty"}},
      {"_A.txt", "\n\n", {"line 1", "empty"}},
      {"_A.txt", "1, 2\n2, x\n", {"line 2", "'2, x'", "no arc"}},
      {"_A.txt", "1\n", {"line 1", "'1'", "no arc"}},
      {"_A.txt", "1, 2, 1\n", {"line 1", "'1, 2, 1'"}},
      {"_A.txt", "1 2\n", {"line 1", "'1 2'"}},
      {"_A.txt", "1, 2.0\n", {"line 1", "'1, 2.0'"}},
      {"_A.txt", "-1, 2\n", {"line 1", "'-1, 2'"}},
      {"_A.txt", "1,2\n\n2,1\n", {"line 2", "is empty"}},
      {"_A.txt", "1,2\r2,1\n", {"line 1", "no arc"}},
      {"_A.txt", "1, 0\n", {"line 1", "'0'", "not one of 1 to 8"}},
      {"_A.txt", "1, 2\n9, 8\n", {"line 2", "'9'", "not one of 1 to 8", "X_graph_indicator.txt"}},
      {"_A.txt", "1, 4294967297\n", {"line 1", "'4294967297'"}},
      {"_A.txt", "1, 18446744073709551617\n", {"line 1", "'18446744073709551617'"}},
      {"_A.txt", "3, 4\n", {"line 1", "node 3 of graph 1 to node 4 of graph 2"}},
      {"_graph_indicator.txt", nullptr, {"there is no such file"}},
      {"_graph_indicator.txt", "1\n1\n0\n", {"line 3", "'0'", "not one of 1 to 3"}},
      {"_graph_indicator.txt", "1\n1\n4\n", {"line 3", "'4'", "X_graph_labels.txt"}},
      {"_graph_indicator.txt", "1\none\n", {"line 2", "'one'"}},
      {"_graph_indicator.txt", "1\n1,1\n", {"line 2", "'1,1'"}},
      {"_graph_labels.txt", nullptr, {"there is no such file"}},
      {"_graph_labels.txt", "1\n1.5\n1\n", {"line 2", "'1.5'"}},
      {"_graph_labels.txt", "1\ninf\n1\n", {"line 2", "'inf'"}},
      {"_graph_labels.txt", "1\n1e300\n1\n", {"line 2", "'1e300'"}},
      {"_graph_labels.txt", "1\n\n1\n", {"line 2", "is empty"}},
      {"_graph_labels.txt", "1,0\n1\n1,1\n", {"line 2", "has 1 values where line 1 has 2"}},
      {"_graph_labels.txt", "1,0\n1,2\n1,1\n", {"line 2", "2 is a label", "0, 1 and nan"}},
      {"_graph_labels.txt", "1\nnan\n-1\n", {"line 3", "-1 is a label"}},
      {"_node_labels.txt", "1\n2\n", {"has 2 rows for the 8 nodes"}},
      {"_node_labels.txt", "1\n2\nred\n", {"line 3", "'red'", "no whole number"}},
      {"_node_labels.txt", "99999999999999999999\n", {"line 1", "no whole number"}},
      {"_node_labels.txt", "1,2\n1,\n", {"line 2", "no whole number"}},
      {"_node_attributes.txt", "1\n", {"has 1 rows for the 8 nodes"}},
      {"_node_attributes.txt", "nan\n", {"line 1", "'nan'", "no finite number"}},
      {"_node_attributes.txt", "1\n1e39\n", {"line 2", "'1e39'"}},
      {"_node_attributes.txt", "1\n1e999\n", {"line 2", "'1e999'"}},
      {"_node_attributes.txt", "1\n1 2\n", {"line 2", "'1 2'"}},
      {"_edge_labels.txt", "1\n", {"has 1 rows for the 14 arcs", "X_A.txt"}},
      {"_edge_attributes.txt", "1\n", {"has 1 rows for the 14 arcs", "X_A.txt"}},
      {"_edge_attributes.txt", "1\n0x10\n", {"line 2", "'0x10'"}},
      {"_scaffold_train.txt", "0\n", {"lacks", "X_scaffold_valid.txt", "X_scaffold_test.txt"}},
      {"_scaffold_train.txt", "0\n3\n", {"line 2", "graph 3", "0 to 2"}},
      {"_scaffold_train.txt", "-1\n", {"line 1", "graph -1"}},
  };
  for (const bool zipped : {false, true}) {
    for (const Hostile& hostile : cases) {
      SCOPED_TRACE(fmt::format("{} {}", hostile.ending, hostile.text ? hostile.text : "absent"));
      TuTexts texts = made::small_tu();
      texts.erase(hostile.ending);
      if (hostile.text) texts[hostile.ending] = hostile.text;
      const made::Folder folder;
      if (zipped) {
        made::write_tu_zip(folder / "X.zip", "X/X", texts);
      } else {
        made::write_tu(folder.path(), "X", texts);
      }
      std::vector<std::string> says = hostile.says;
      if (says[0] != "lacks") says.push_back(std::string("X") + hostile.ending);
      says.push_back(folder.path().string());
      const auto read = [&] { (void)read_dataset(folder.path()); };
      expect_error(read, says);
      EXPECT_EQ(cupel::error_of(read).find('\n'), std::string::npos);
    }
  }
}

TEST(TuDataset, ABadSplitIsRefusedButAudited) {
  TuTexts texts = made::small_tu();
  texts["_scaffold_train.txt"] = "0\n1\n";
  texts["_scaffold_valid.txt"] = "1\n";
  texts["_scaffold_test.txt"] = "2\n";
  const made::Folder folder;
  made::write_tu(folder.path(), "X", texts);
  expect_error([&] { (void)read_dataset(folder.path()); }, {"X_scaffold_", "graph 1"});
  EXPECT_EQ(read_dataset(folder.path(), ReadMode::kForAudit).stored_splits.size(), 1u);
}

TEST(TuDataset, TwoSetsInOneFolderAreRefused) {
  const made::Folder folder;
  made::write_tu(folder.path(), "X", made::small_tu());
  made::write_file(folder / "Y_A.txt", "1, 2\n");
  expect_error([&] { (void)read_dataset(folder.path()); }, {"'X'", "'Y'", "folder of its own"});
  fs::remove(folder / "Y_A.txt");
  const made::Folder zips;
  made::write_tu_zip(zips / "one.zip", "X", made::small_tu());
  made::write_tu_zip(zips / "two.zip", "Y", made::small_tu());
  expect_error([&] { (void)read_dataset(zips.path()); }, {"more than one archive"});
}

TEST(TuDataset, ADamagedArchiveIsRefused) {
  const made::Folder folder;
  const fs::path path = folder / "X.zip";
  made::write_tu_zip(path, "X/X", made::random_tu(1, {}));
  const std::string whole = made::file_content(path);
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 40) {
    made::write_file(path, whole.substr(0, size));
    expect_error([&] { (void)read_dataset(path); }, {path.string()});
  }
  std::string flipped = whole;
  flipped[200] = static_cast<char>(flipped[200] ^ 0x55);
  made::write_file(path, flipped);
  expect_error([&] { (void)read_dataset(path); }, {path.string()});
}

// Whatever the bytes, the result is a valid set of graphs or one sentence that names the folder.
TEST(TuDataset, MutantsAreValidOrRefused) {
  std::mt19937 random(11);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  made::TuNoise noise;
  noise.graphs = 6;
  noise.most_nodes = 5;
  const TuTexts good = made::random_tu(5, noise);
  const std::string tokens[] = {",", "\n", "\r", "0", "-", "9", "nan", " ", "1e9", "\n\n", "."};
  int valid = 0, refused = 0;
  const made::Folder folder;
  for (int round = 0; round < 3000; ++round) {
    TuTexts texts = good;
    auto file = texts.begin();
    std::advance(file, static_cast<std::ptrdiff_t>(below(texts.size())));
    std::string& text = file->second;
    const std::size_t at = below(text.size());
    const std::string& token = tokens[below(std::size(tokens))];
    switch (below(4)) {
      case 0:
        text = text.substr(0, at) + token + text.substr(at);
        break;
      case 1:
        text = text.substr(0, at) + text.substr(at + 1);
        break;
      case 2:
        text = text.substr(0, at);
        break;
      default:
        text[at] = static_cast<char>(below(256));
        break;
    }
    made::write_tu(folder.path(), "X", texts);
    try {
      const Dataset d = read_dataset(folder.path());
      ++valid;
      made::check_csr(d.adjacency);
      ASSERT_TRUE(is_symmetric(d.adjacency));
      ASSERT_EQ(count_self_loops(d.adjacency), 0);
      ASSERT_EQ(d.graphs->start.back(), d.nodes());
      ASSERT_EQ(d.labels().size(), static_cast<std::size_t>(d.graphs->size()));
      ASSERT_EQ(d.graphs->arc_attributes.rows, d.adjacency.entries());
      ASSERT_EQ(d.graphs->node_attributes.rows, d.nodes());
      for (Index g = 0; g < d.graphs->size(); ++g) {
        for (Index i = d.graphs->start[g]; i < d.graphs->start[g + 1]; ++i) {
          for (const Index j : d.adjacency.row_columns(i)) {
            ASSERT_TRUE(j >= d.graphs->start[g] && j < d.graphs->start[g + 1]);
          }
        }
      }
    } catch (const Error& error) {
      ++refused;
      const std::string message = error.what();
      ASSERT_NE(message.find(folder.path().string()), std::string::npos) << message;
      ASSERT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }
  EXPECT_GT(valid, 100);
  EXPECT_GT(refused, 1000);
}

// ---- real data ----------------------------------------------------------------------------------

// Published counts: the TUDataset and OGB tables (means of nodes and edges to two places).
struct Published {
  const char* folder;
  Index graphs, classes;
  double nodes, edges;
};

TEST(TuDataset, PublishedCounts) {
  const char* data = std::getenv("CUPEL_DATA");
  if (!data) GTEST_SKIP() << "CUPEL_DATA is not set: published counts are not checked";
  const Published table[] = {{"MUTAG", 188, 2, 17.93, 19.79},
                             {"PROTEINS", 1113, 2, 39.06, 72.82},
                             {"ENZYMES", 600, 6, 32.63, 62.14},
                             {"NCI1", 4110, 2, 29.87, 32.30},
                             {"DD", 1178, 2, 284.32, 715.66},
                             {"AIDS", 2000, 2, 15.69, 16.20},
                             {"IMDB-BINARY", 1000, 2, 19.77, 96.53},
                             {"IMDB-MULTI", 1500, 3, 13.00, 65.94},
                             {"REDDIT-BINARY", 2000, 2, 429.63, 497.75},
                             {"COLLAB", 5000, 3, 74.49, 2457.78},
                             {"BACE", 1513, 2, 34.09, 36.86},
                             {"HIV", 41127, 2, 25.51, 27.47},
                             {"TOX21", 7831, 2, 18.57, 19.29}};
  int checked = 0;
  for (const Published& row : table) {
    SCOPED_TRACE(row.folder);
    const fs::path folder = fs::path(data) / row.folder;
    if (!fs::exists(folder)) continue;
    const Dataset d = read_dataset(folder);
    ASSERT_TRUE(d.graphs);
    EXPECT_EQ(d.examples(), row.graphs);
    EXPECT_EQ(d.classes(), row.classes);
    EXPECT_NEAR(double(d.nodes()) / row.graphs, row.nodes, 0.00501);
    EXPECT_NEAR(double(d.adjacency.entries()) / 2 / row.graphs, row.edges, 0.00501);
    ++checked;
  }
  if (checked == 0) GTEST_SKIP() << "needs CUPEL_DATA with any of the published sets";
}

TEST(TuDataset, RealDataAgreesWithASlowReader) {
  const char* data = std::getenv("CUPEL_DATA");
  if (!data) GTEST_SKIP() << "CUPEL_DATA is not set: real sets are not compared";
  for (const char* name : {"MUTAG", "ENZYMES", "AIDS"}) {
    SCOPED_TRACE(name);
    const fs::path folder = fs::path(data) / name;
    if (!fs::exists(folder)) continue;
    TuTexts texts;
    for (const char* ending : {"_A.txt", "_graph_indicator.txt", "_graph_labels.txt",
                               "_node_labels.txt", "_edge_labels.txt", "_node_attributes.txt"}) {
      const fs::path path = folder / (std::string(name) + ending);
      if (fs::exists(path)) texts[ending] = made::file_content(path);
    }
    made::expect_same(read_dataset(folder), made::read_tu_slowly(texts));
  }
}

}  // namespace
}  // namespace cupel
