#include "cupel/data/formats/split_json.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cupel/data/split/split.h"
#include "data/formats/made_files.h"
#include "error_of.h"
#include "real_data.h"

namespace cupel {
namespace {

using made::expect_error;
using Ids = std::vector<Index>;

const char* const kErrica =
    R"([{"test": [1, 0], "model_selection": [{"train": [3, 2], "validation": [4]}]},
        {"test": [2, 3, 4], "model_selection": [{"train": [0], "validation": [1]},
                                                {"train": [1], "validation": [0]}]}])";

Dataset with_graphs(Index n) {
  Dataset dataset;
  dataset.name = "MINE";
  dataset.labels().assign(static_cast<std::size_t>(n), 0);
  dataset.class_names() = {"0"};
  dataset.adjacency.rows = dataset.adjacency.cols = n;
  dataset.adjacency.row_ptr.assign(static_cast<std::size_t>(n) + 1, 0);
  dataset.graphs.emplace();
  for (Index i = 0; i <= n; ++i) dataset.graphs->start.push_back(i);
  return dataset;
}

class SplitJson : public ::testing::Test {
 protected:
  SplitFile read(const std::string& text) {
    made::write_file(folder_ / "MINE_splits.json", text);
    return read_split_json(folder_ / "MINE_splits.json");
  }
  SplitScheme scheme() const {
    SplitScheme out;
    out.kind = "file";
    out.settings["file"] = (folder_ / "{dataset}_splits.json").string();
    return out;
  }
  made::Folder folder_;
};

TEST_F(SplitJson, FoldsHaveModelSelections) {
  const SplitFile file = read(kErrica);
  EXPECT_TRUE(file.kfold);
  ASSERT_EQ(file.splits.size(), 3u);
  EXPECT_EQ(file.splits[0].test, (Ids{0, 1}));
  EXPECT_EQ(file.splits[0].train, (Ids{3, 2}));
  EXPECT_EQ(file.splits[0].valid, (Ids{4}));
  EXPECT_EQ(file.splits[2].train, (Ids{1}));
  EXPECT_EQ(file.splits[2].test, (Ids{2, 3, 4}));
}

TEST_F(SplitJson, APartMayStopTraining) {
  const std::string plain = R"([{"train": [0], "valid": [2], "test": [3], "stopping": [4, 1]}])";
  const SplitFile file = read(plain);
  EXPECT_EQ(file.splits.at(0).stopping, (Ids{4, 1}));
  EXPECT_EQ(read(split_json(file.splits)).content, file.content);
  EXPECT_NE(read(R"([{"train": [0], "valid": [2], "test": [3]}])").content, file.content);
  EXPECT_TRUE(error_of([&] {
                (void)read(R"([{"train": [0], "valid": [2], "test": [3], "stopping": [3]}])");
              }).find("3 is in it twice") != std::string::npos);
  const SplitFile nested = read(
      R"([{"test": [3], "model_selection": [{"train": [0], "valid": [1], "stopping": [2]}]}])");
  EXPECT_EQ(nested.splits.at(0).stopping, (Ids{2}));
}

TEST_F(SplitJson, UsersMayWriteThemPlainly) {
  const char* plain = R"([{"train": [0, 1], "valid": [2], "test": [3]}])";
  const SplitFile file = read(plain);
  EXPECT_FALSE(file.kfold);
  ASSERT_EQ(file.splits.size(), 1u);
  EXPECT_EQ(file.splits[0].train, (Ids{0, 1}));
  EXPECT_EQ(file.content,
            read(R"({"splits": [{"train": [0,1], "val": [2], "test": [3]}]})").content);
  EXPECT_EQ(
      file.content,
      read(R"([{"test": [3], "model_selection": [{"train": [0,1], "validation": [2]}]}])").content);
  EXPECT_NE(file.content, read(R"([{"train": [0], "valid": [1, 2], "test": [3]}])").content);
  EXPECT_NE(file.content, read(R"([{"train": [1, 0], "valid": [2], "test": [3]}])").content);
}

TEST_F(SplitJson, MistakesNameFoldAndValue) {
  const auto of = [&](const char* text) { return [this, text] { (void)read(text); }; };
  expect_error(of("[{"), {"MINE_splits.json", "not valid JSON"});
  expect_error(of("3"), {"'3'", "list of splits"});
  expect_error(of("[]"), {"no split"});
  expect_error(of("[[[[[[[[[[[[]]]]]]]]]]]]"), {"nested too deeply"});
  expect_error(of(R"([{"train": [0], "train": [1], "valid": [2], "test": [3]}])"),
               {"MINE_splits.json", "'train'", "twice"});
  expect_error(of(R"({"splits": [], "splits": []})"), {"'splits'", "twice"});
  expect_error(of(R"([{"train": [0], "valid": [1], "val": [1], "test": [3]}])"),
               {"fold 0", "'valid'", "'val'"});
  expect_error(of("[7]"), {"fold 0", "'7'", "object"});
  expect_error(of(R"([{"train": [0], "valid": [1]}])"), {"fold 0", "no 'test'"});
  expect_error(of(R"([{"train": [0], "test": [1]}])"), {"fold 0", "no 'valid'"});
  expect_error(
      of(R"([{"train": [0], "valid": [1], "test": [2]}, {"train": [0], "valid": [1.5], "test": [2]}])"),
      {"fold 1", "'valid'", "entry 0", "1.5"});
  expect_error(of(R"([{"train": [0, -3], "valid": [1], "test": [2]}])"),
               {"fold 0", "'train'", "entry 1", "-3"});
  expect_error(of(R"([{"train": ["a"], "valid": [1], "test": [2]}])"), {"\"a\""});
  expect_error(of(R"([{"train": [99999999999], "valid": [1], "test": [2]}])"), {"99999999999"});
  expect_error(of(R"([{"train": 5, "valid": [1], "test": [2]}])"), {"'train'", "list of numbers"});
  expect_error(of(R"([{"train": [], "valid": [1], "test": [2]}])"), {"'train'", "is empty"});
  expect_error(of(R"([{"train": [0], "valid": [1], "test": [0]}])"),
               {"fold 0", "0 is in it twice"});
  expect_error(of(R"([{"train": [4, 4], "valid": [1], "test": [0]}])"), {"4 is in it twice"});
  expect_error(of(R"([{"train": [0], "valid": [1], "tset": [2]}])"), {"'tset'", "train, valid"});
  expect_error(of(R"([{"test": [0], "model_selection": []}])"), {"'model_selection'", "is empty"});
  expect_error(of(R"({"folds": []})"), {"'folds'", "splits"});
}

TEST_F(SplitJson, SchemeTakesTheDatasetsFile) {
  (void)read(kErrica);
  const Dataset data = with_graphs(5);
  EXPECT_EQ(make_split(data, scheme(), 1).test, (Ids{2, 3, 4}));
  EXPECT_EQ(family_size(resolved_scheme(scheme(), data), data), 3);
  expect_error([&] { (void)make_split(data, scheme(), 3); }, {"split 3", "holds 3"});
  SplitScheme none = scheme();
  none.settings.clear();
  expect_error([&] { (void)make_split(data, none, 0); }, {"needs 'file', the JSON file"});
  none.settings["file"] = "/nowhere/x.json";
  expect_error([&] { (void)make_split(data, none, 0); }, {"/nowhere/x.json"});
}

TEST_F(SplitJson, IdentityIsThatOfTheContents) {
  (void)read(kErrica);
  const Dataset data = with_graphs(5);
  const std::string identity = resolved_scheme(scheme(), data).identity();
  std::filesystem::copy_file(folder_ / "MINE_splits.json", folder_ / "moved.json");
  SplitScheme moved = scheme();
  moved.settings["file"] = (folder_ / "moved.json").string();
  EXPECT_EQ(resolved_scheme(moved, data).identity(), identity);
  // Once resolved, a scheme keeps to what it read.
  const SplitScheme resolved = resolved_scheme(scheme(), data);
  (void)read(R"([{"train": [0, 1], "valid": [2], "test": [3]}])");
  EXPECT_EQ(make_split(data, resolved, 0).test, (Ids{0, 1}));
  EXPECT_EQ(resolved.identity(), identity);
  EXPECT_NE(resolved_scheme(scheme(), data).identity(), identity);
}

TEST_F(SplitJson, AFileForOtherGraphsIsRefused) {
  (void)read(kErrica);
  expect_error([&] { (void)resolved_scheme(scheme(), with_graphs(4)); },
               {"MINE_splits.json", "split 0", "graph 4", "'MINE' has 4 graphs", "drops"});
  expect_error([&] { (void)resolved_scheme(scheme(), with_graphs(6)); },
               {"5 graphs", "'MINE' has 6", "dropped"});
  // Plain splits may leave graphs out.
  (void)read(R"([{"train": [0, 1], "valid": [2], "test": [3]}])");
  EXPECT_EQ(make_split(with_graphs(6), scheme(), 0).test, (Ids{3}));
}

TEST_F(SplitJson, PublishedFoldsPartitionTheirGraphs) {
  if (const std::string why = made::needs_data({"splits/CHEMICAL"}); !why.empty())
    GTEST_SKIP() << why;
  const char* root = std::getenv("CUPEL_DATA");
  struct Case {
    const char* file;
    Index graphs;
    std::size_t train, valid;
  };
  const Case cases[] = {{"CHEMICAL/DD", 1178, 953, 106},
                        {"CHEMICAL/ENZYMES", 600, 486, 54},
                        {"CHEMICAL/NCI1", 4110, 3328, 370},
                        {"CHEMICAL/PROTEINS_full", 1113, 900, 101},
                        {"COLLABORATIVE_1/COLLAB", 5000, 4049, 450},
                        {"COLLABORATIVE_DEGREE/IMDB-MULTI", 1500, 1215, 135}};
  for (const Case& expected : cases) {
    SCOPED_TRACE(expected.file);
    const SplitFile file = read_split_json(std::filesystem::path(root) / "splits" /
                                           (std::string(expected.file) + "_splits.json"));
    ASSERT_EQ(file.splits.size(), 10u);
    EXPECT_EQ(file.splits[0].train.size(), expected.train);
    EXPECT_EQ(file.splits[0].valid.size(), expected.valid);
    const Dataset data = with_graphs(expected.graphs);
    check_fits(file, data);
    std::vector<int> tested(data.labels().size(), 0);
    for (const Split& split : file.splits)
      for (const Index id : split.test) ++tested[static_cast<std::size_t>(id)];
    EXPECT_EQ(std::ranges::count(tested, 1), expected.graphs);
  }
}

}  // namespace
}  // namespace cupel
