#include "cupel/data/formats/ogb_dataset.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "cupel/data/formats/format.h"
#include "data/build/made_text.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

using made::array;
using made::expect_error;
using Ids = std::vector<Index>;

// A triangle with a tail, one node alone, two nodes joined; edges in one direction.
const std::map<std::string, std::string> kFiles = {
    {"raw/num-node-list", "4\n1\n2\n"},
    {"raw/num-edge-list", "4\n0\n1\n"},
    {"raw/edge", "0,1\n1,2\n2,0\n2,3\n0,1\n"},
    {"raw/node-feat", "5,0\n6,0\n5,1\n7,0\n5,0\n5,2\n6,2\n"},
    {"raw/edge-feat", "10\n11\n12\n13\n14\n"},
    {"raw/graph-label", "1\n0\n1\n"},
    {"split/scaffold/train", "0\n"},
    {"split/scaffold/valid", "2\n"},
    {"split/scaffold/test", "1\n"},
};

class OgbDataset : public ::testing::Test {
 protected:
  std::filesystem::path write(std::map<std::string, std::string> files, bool packed = true) {
    const std::filesystem::path path = folder_ / "molmade";
    std::filesystem::remove_all(path);
    for (const auto& [name, text] : files) {
      const std::filesystem::path file = path / (name + (packed ? ".csv.gz" : ".csv"));
      std::filesystem::create_directories(file.parent_path());
      made::write_file(file, packed ? test::Folder::gzip(text) : text);
    }
    return path;
  }
  std::filesystem::path write_with(const std::string& name, const std::string& text) {
    auto files = kFiles;
    files[name] = text;
    return write(files, false);
  }
  made::Folder folder_;
};

TEST_F(OgbDataset, IsASetOfSimpleUndirectedGraphs) {
  const Dataset data = read_dataset(write(kFiles));
  EXPECT_EQ(data.name, "molmade");
  ASSERT_TRUE(data.graphs);
  EXPECT_EQ(data.graphs->start, (Ids{0, 4, 5, 7}));
  made::check_csr(data.adjacency);
  EXPECT_EQ(data.adjacency.columns, (Ids{1, 2, 0, 2, 0, 1, 3, 2, 6, 5}));
  // Both arcs of an edge have what its one row says.
  EXPECT_EQ(data.graphs->arc_attributes.values,
            (AlignedVector<float>{10, 12, 10, 11, 12, 11, 13, 13, 14, 14}));
  EXPECT_EQ(data.graphs->node_attributes.cols, 2);
  EXPECT_EQ(data.graphs->node_attributes(5, 1), 2);
  EXPECT_EQ(feature_count(data.features), 0);
  EXPECT_EQ(data.labels(), (Ids{1, 0, 1}));
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(data.repeated_arcs, 0);
  ASSERT_EQ(data.stored_splits.size(), 1u);
  EXPECT_EQ(data.stored_splits[0].valid, (Ids{2}));
  EXPECT_EQ(content_hash(data), content_hash(read_dataset(write(kFiles, false))));
}

TEST_F(OgbDataset, BothDirectionsInTheFileAreTheSameGraph) {
  auto files = kFiles;
  files["raw/num-edge-list"] = "8\n0\n2\n";
  files["raw/edge"] = "0,1\n1,0\n1,2\n2,1\n2,0\n0,2\n2,3\n3,2\n0,1\n1,0\n";
  files["raw/edge-feat"] = "10\n10\n11\n11\n12\n12\n13\n13\n14\n14\n";
  const std::string both = content_hash(read_dataset(write(files)));
  EXPECT_EQ(both, content_hash(read_dataset(write(kFiles))));
  // Directions may differ: each arc has its own row, the first of several.
  files["raw/edge"] = "0,1\n1,0\n1,2\n2,1\n2,0\n0,2\n2,2\n0,1\n0,1\n1,0\n";
  files["raw/edge-feat"] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
  const Dataset data = read_dataset(write(files));
  EXPECT_EQ(data.adjacency.columns, (Ids{1, 2, 0, 2, 0, 1, 6, 5}));
  EXPECT_EQ(data.graphs->arc_attributes.values, (AlignedVector<float>{1, 6, 2, 3, 5, 4, 9, 10}));
  EXPECT_EQ(data.repeated_arcs, 1);
  EXPECT_EQ(data.graphs->dropped_loops, 1);
}

TEST_F(OgbDataset, SeveralTasksMayHaveGaps) {
  const Dataset data = read_dataset(write_with("raw/graph-label", "1.0,nan\n,0.0\n0.0,1.0\n"));
  ASSERT_EQ(data.task_answers().cols, 2);
  EXPECT_TRUE(std::isnan(data.task_answers()(0, 1)));
  EXPECT_TRUE(std::isnan(data.task_answers()(1, 0)));
  EXPECT_EQ(data.task_answers()(2, 1), 1);
}

TEST_F(OgbDataset, ArchivesHoldTheSame) {
  const std::filesystem::path text = write(kFiles);
  const Dataset expected = read_dataset(text);
  const std::filesystem::path path = folder_ / "binary" / "molmade";
  std::filesystem::create_directories(path / "raw");
  std::filesystem::create_directories(path / "split");
  write_npz(path / "raw" / "data.npz",
            {{"edge_index", array<std::int64_t>({0, 1, 2, 2, 0, 1, 2, 0, 3, 1}, {2, 5})},
             {"num_nodes_list", array<std::int64_t>({4, 1, 2})},
             {"num_edges_list", array<std::int64_t>({4, 0, 1})},
             {"node_feat", array<std::int64_t>({5, 0, 6, 0, 5, 1, 7, 0, 5, 0, 5, 2, 6, 2}, {7, 2})},
             {"edge_feat", array<float>({10, 11, 12, 13, 14}, {5, 1})}});
  write_npz(path / "raw" / "graph-label.npz",
            {{"graph_label", array<std::int64_t>({1, 0, 1}, {3, 1})}});
  const auto mask = [](std::vector<std::int32_t> flags) { return array(std::move(flags)); };
  write_npz(path / "split" / "scaffold.npz", {{"train_mask", mask({1, 0, 0})},
                                              {"val_mask", mask({0, 0, 1})},
                                              {"test_mask", mask({0, 1, 0})}});
  EXPECT_EQ(content_hash(read_dataset(path)), content_hash(expected));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  write_npz(path / "raw" / "graph-label.npz",
            {{"graph_label", array<float>({1, nan, nan, 0, 0, 1}, {3, 2})}});
  const Dataset tasks = read_dataset(path);
  EXPECT_EQ(tasks.task_answers().cols, 2);
  EXPECT_TRUE(std::isnan(tasks.task_answers()(1, 0)));
  EXPECT_EQ(tasks.task_answers()(2, 1), 1);
}

TEST_F(OgbDataset, ClassesBelowTheBoundAreToldApart) {
  const Dataset data =
      read_dataset(write_with("raw/graph-label", "16777215\n16777214\n16777215\n"));
  EXPECT_EQ(data.class_names(), (std::vector<std::string>{"16777214", "16777215"}));
  EXPECT_EQ(data.labels(), (Ids{1, 0, 1}));
}

TEST_F(OgbDataset, MistakesAreNamed) {
  const auto of = [&](const char* name, const char* text) {
    return [this, name, text] { (void)read_dataset(write_with(name, text)); };
  };
  expect_error(of("raw/edge", "0,1\n1,2\n2,0\n2,4\n0,1\n"),
               {"edge.csv", "line 4", "node 4", "graph 0"});
  expect_error(of("raw/edge", "0,1\n1,2\n2,0\n2,-1\n0,1\n"), {"line 4", "node -1"});
  expect_error(of("raw/edge", "0,1\n1,2\n2,0\n2,3\n0,2\n"), {"line 5", "node 2", "graph 2"});
  expect_error(of("raw/edge", "0,1\n1,2\n2,0\n2,3\n"), {"4 rows", "5 edges", "cut off"});
  expect_error(of("raw/edge", "0,1\n1,2\n2,0\n2,3\n0,1\n1,0\n"), {"line 6", "one more"});
  expect_error(of("raw/edge", "0,1\n1,x\n2,0\n2,3\n0,1\n"), {"line 2", "'x'"});
  expect_error(of("raw/edge", "0,1,2\n1,2\n2,0\n2,3\n0,1\n"), {"line 1", "3 fields"});
  expect_error(of("raw/num-node-list", "4\n-1\n2\n"), {"num-node-list", "graph 1", "-1"});
  expect_error(of("raw/num-node-list", "4\n1\n9999999999\n"), {"graph 2", "9999999999"});
  expect_error(of("raw/num-edge-list", "4\n1\n"), {"num-edge-list", "2 graphs", "3"});
  expect_error(of("raw/node-feat", "5,0\n"), {"node-feat", "1 rows", "7 nodes"});
  expect_error(of("raw/node-feat", "5,0\n6\n5,1\n7,0\n5,0\n5,2\n6,2\n"), {"line 2", "1 fields"});
  expect_error(of("raw/node-feat", "5,nan\n6,0\n5,1\n7,0\n5,0\n5,2\n6,2\n"), {"line 1", "'nan'"});
  expect_error(of("raw/edge-feat", "1\n"), {"edge-feat", "1 rows", "5 edges"});
  expect_error(of("raw/graph-label", "1\n0\n"), {"graph-label", "2 labels", "3 graphs"});
  expect_error(of("raw/graph-label", "1\n0.5\n1\n"), {"graph-label", "0.5"});
  // As float32 both are 2^24.
  expect_error(of("raw/graph-label", "16777216\n16777217\n1\n"), {"graph-label", "below 16777216"});
  expect_error(of("raw/graph-label", "-16777217\n0\n1\n"), {"graph-label", "below 16777216"});
  expect_error(of("raw/graph-label", "1,0\n2,0\n1,1\n"), {"task 0 of graph 1 is 2"});
  expect_error(of("split/scaffold/test", "3\n"), {"test.csv", "line 1", "graph 3"});
  expect_error(of("split/scaffold/test", "0\n"), {"graph 0", "training", "test"});
}

}  // namespace
}  // namespace cupel
