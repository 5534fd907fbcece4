// Small files that claim much: each is refused, or read, within memory that its bytes account for.
#include "cupel/data/formats/claims.h"

#include "cupel/data/formats/edge_list.h"
#include "cupel/data/formats/fasttext.h"
#include "data/formats/claims_place.h"
#include "data/formats/made_tu.h"

namespace cupel {
namespace {

using made::array;
using made::Members;
constexpr std::int32_t kMany = 0x7fffffff;

TEST_F(ClaimsPlace, WhatIsBelieved) {
  EXPECT_NO_THROW(check_claim("f", 65'536, "nodes", 0));
  EXPECT_NO_THROW(check_claim("f", 16 * 70'000, "nodes", 70'000));
  made::expect_error([] { check_claim("f", 16 * 70'000 + 1, "nodes", 70'000); },
                     {"f: claims 1120001 nodes", "70000 bytes"});
  EXPECT_NO_THROW(check_unpacked("f", 64 << 20, 1, "x"));
  EXPECT_NO_THROW(check_unpacked("f", 128 << 20, 1 << 20, "x"));
  made::expect_error([] { check_unpacked("f", 130 << 20, 1 << 20, "unpack it"); },
                     {"f: its 1048576 compressed bytes", "130 MiB", "unpack it"});
}

// ---- numbers of which nothing else is there -----------------------------------------------------

TEST_F(ClaimsPlace, NodesOfGraphsOfOgb) {
  const std::filesystem::path raw = folder_ / "ogb/raw";
  write("ogb/raw/num-node-list.csv", "200000000\n");
  write("ogb/raw/num-edge-list.csv", "1\n");
  write("ogb/raw/edge.csv", "0,1\n");
  write("ogb/raw/graph-label.csv", "1\n");
  expect_refused(folder_ / "ogb", {"num-node-list.csv: claims 200000000 nodes", "16 bytes"});

  write_arrays("packed/raw/data.npz", {{"num_nodes_list", array<std::int64_t>({kMany})},
                                       {"num_edges_list", array<std::int64_t>({1})},
                                       {"edge_index", array<std::int64_t>({0, 1}, {2, 1})}});
  write_arrays("packed/raw/graph-label.npz", {{"graph_label", array<std::int64_t>({1}, {1, 1})}});
  expect_refused(folder_ / "packed", {"'num_nodes_list': claims 2147483647 nodes"});
}

TEST_F(ClaimsPlace, ColumnsOfSparseFeatures) {
  Members members = made::gnn_benchmark_members();
  made::member(members, "attr_shape") = array<std::int64_t>({5, kMany});
  expect_refused(write_arrays("wide.npz", members), {"'attr_shape': claims 2147483647 columns"});
}

TEST_F(ClaimsPlace, FeaturesOfGeomGcn) {
  write("geom/out1_node_feature_label.txt",
        "node_id\tfeature\tlabel\n0\t3,2147483646\t0\n1\t5\t1\n");
  write("geom/out1_graph_edges.txt", "node_id\tnode_id\n0\t1\n");
  expect_refused(folder_ / "geom", {"claims 2147483647 features"});
}

// An audit reads features without a column; there is not a byte for any row of them.
TEST_F(ClaimsPlace, RowsWithoutColumns) {
  const NpyArray nothing = array<float>({}, {kMany, 0});
  Members members = made::heterophilous_members();
  made::member(members, "node_features") = nothing;
  expect_refused(write_arrays("zero.npz", members), {"4 labels for 2147483647 nodes"},
                 ReadMode::kForAudit);
  expect_refused(write_arrays("wiki.npz", {{"features", nothing},
                                           {"edges", array<std::int64_t>({0, 1}, {1, 2})},
                                           {"target", array<float>({1, 2})}}),
                 {"'target': has the shape (2)"}, ReadMode::kForAudit);
}

// A mask of a graph of one node takes a byte for a split.
TEST_F(ClaimsPlace, SplitsOfMasks) {
  NpyArray mask;
  mask.type = {'b', 1};
  mask.shape = {3'000'000, 4};
  mask.bytes.assign(12'000'000, std::byte{1});
  Members members = made::heterophilous_members();
  for (const char* key : {"train_masks", "val_masks", "test_masks"})
    made::member(members, key) = mask;
  const auto path = write_arrays("masks.npz", members, false);
  expect_refused(path, {"'train_masks': has 3000000 splits, at most 10000"});
  Members data = {{"x", array<float>({1, 2, 3, 4}, {4, 1})},
                  {"edge_index", array<std::int64_t>({0, 1}, {2, 1})},
                  {"y", array<std::int64_t>({0, 1, 0, 1})}};
  for (const char* key : {"train_mask", "val_mask", "test_mask"}) data.emplace_back(key, mask);
  expect_refused(write_arrays("pyg.npz", data, false), {"'train_mask': has 3000000 splits"});
}

TEST_F(ClaimsPlace, EdgeLabelsAsColumns) {
  made::TuTexts texts;
  std::string& arcs = texts["_A.txt"];
  std::string& labels = texts["_edge_labels.txt"];
  for (int i = 1; i <= 6000; ++i) {
    arcs += fmt::format("{},{}\n", i, i + 1);
    labels += fmt::format("{}\n", i);
    texts["_graph_indicator.txt"] += "1\n";
  }
  texts["_graph_indicator.txt"] += "1\n";
  texts["_graph_labels.txt"] = "1\n";
  made::write_tu(folder_ / "tu", "tu", texts);
  expect_refused(folder_ / "tu", {"tu_edge_labels.txt: 6000 different edge labels of 12000 arcs",
                                  "leave out the file"});
}

TEST_F(ClaimsPlace, OneEdgeToTheLargestNode) {
  const auto path = write("far.txt", "0 2147483646\n2147483646 7\n");
  Dataset data;
  within_memory([&] { data = read_edge_list(path, {2}); });
  EXPECT_EQ(data.nodes(), 3);
  EXPECT_EQ(data.adjacency.row_ptr, (std::vector<Offset>{0, 1, 1, 2}));
  EXPECT_EQ(data.adjacency.columns, (std::vector<Index>{2, 1}));
}

// A vector of one word would be a row of each node.
TEST_F(ClaimsPlace, NumbersOfAWord) {
  const auto path = write("words.vec", "1 4097\n");
  made::expect_error(
      [&] {
        LineReader lines(path);
        (void)read_word_vectors(lines, {});
      },
      {"words.vec: line 1: says 4097 numbers per word; the limit is 4096"});
}

// ---- what lies behind the first fault -----------------------------------------------------------

// Bytes that this process has read, as the system counts them; -1 where it does not.
std::int64_t bytes_read() {
  std::ifstream counters("/proc/self/io");
  std::string word;
  std::int64_t value = -1;
  while (counters >> word)
    if (word == "rchar:") counters >> value;
  return value;
}

TEST_F(ClaimsPlace, WhatFollowsAWrongLineIsNotRead) {
  if (bytes_read() < 0) GTEST_SKIP() << "the system does not count the bytes that are read";
  const auto expect_early = [&](const std::filesystem::path& file, const std::string& start,
                                const std::function<void()>& read, const std::string& said) {
    write(std::filesystem::relative(file, folder_.path()).string(), start);
    std::filesystem::resize_file(file, std::uint64_t{1} << 30);  // zeros that take no room
    const std::int64_t before = bytes_read();
    made::expect_error(read, {file.string(), said});
    EXPECT_LT(bytes_read() - before, 32 << 20) << file;
    std::filesystem::remove(file);
  };
  const auto edges = folder_ / "edges.txt";
  expect_early(
      edges, "0 1\nx y\n", [&] { (void)read_edge_list(edges, {2}); }, "line 2: 'x y'");
  const auto expect_dataset_early = [&](const std::string& name, const std::string& start,
                                        const std::filesystem::path& path,
                                        const std::string& said) {
    expect_early(
        folder_ / name, start, [&] { (void)read_dataset(path); }, said);
  };
  write("csv/edges.csv", "source,target\n");
  expect_dataset_early("csv/labels.csv", "node,classes\na,b\n", folder_ / "csv",
                       "line 1: the header is");
  write("tables/edges.csv", "src,dst\n");
  expect_dataset_early("tables/nodes.csv", "id,x,label\na,b,c\n", folder_ / "tables",
                       "line 2: column 'x' holds 'b'");
  write("nodes/raw/num-node-list.csv", "4\n");
  expect_dataset_early("nodes/raw/node-label.csv", "0,1\n", folder_ / "nodes",
                       "line 1: has 2 labels");
  expect_dataset_early("nodes/raw/node-label.csv", "0.5\n", folder_ / "nodes",
                       "line 1: 0.5 is no class");
  expect_dataset_early("wrong.graphml", "<?xml version='1.0'?>\n<svg graphml='1'>\n",
                       folder_ / "wrong.graphml", "line 2: the document is <svg>");
}

}  // namespace
}  // namespace cupel
