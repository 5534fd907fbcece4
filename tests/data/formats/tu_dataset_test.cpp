#include "cupel/data/formats/tu_dataset.h"

#include <gtest/gtest.h>

#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "data/formats/made_tu.h"

namespace cupel {
namespace {

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

}  // namespace
}  // namespace cupel
