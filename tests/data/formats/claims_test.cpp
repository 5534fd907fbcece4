// Small files that claim much, or unpack to much: each is refused, or read, within memory that its
// bytes account for. What is measured is what the system says this process held.
#include "cupel/data/formats/claims.h"

#include <zlib.h>

#include <chrono>
#include <cstring>

#include "cupel/data/formats/edge_list.h"
#include "cupel/data/formats/fasttext.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/pickle.h"
#include "cupel/data/formats/zip_writer.h"
#include "cupel/data/molecules/molecule.h"
#include "data/build/made_text.h"
#include "data/formats/made_tu.h"
#include "data/formats/mutation.h"

namespace cupel {
namespace {

using made::array;
using made::Members;
constexpr std::int32_t kMany = 0x7fffffff;

class Claims : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    made::write_file(path, text);
    return path;
  }
  std::filesystem::path write_arrays(const std::string& name, const Members& members,
                                     bool deflate = true) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    write_npz(path, members, deflate);
    return path;
  }

  // More than `more` megabytes are too much for what is tried here.
  void within_memory(const std::function<void()>& body, long more = 0) {
    made::reset_peak();
    const long before = made::peak_kilobytes();
    body();
    EXPECT_LT(made::peak_kilobytes() - before, made::kMostKilobytes + more * 1024);
  }
  void expect_refused(const std::filesystem::path& path, const std::vector<std::string>& pieces,
                      ReadMode mode = ReadMode::kForUse, long more = 0) {
    within_memory([&] { made::expect_error([&] { (void)read_dataset(path, mode); }, pieces); },
                  more);
  }

  const made::Folder folder_;
};

TEST_F(Claims, WhatIsBelieved) {
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

TEST_F(Claims, NodesOfGraphsOfOgb) {
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

TEST_F(Claims, ColumnsOfSparseFeatures) {
  Members members = made::gnn_benchmark_members();
  made::member(members, "attr_shape") = array<std::int64_t>({5, kMany});
  expect_refused(write_arrays("wide.npz", members), {"'attr_shape': claims 2147483647 columns"});
}

TEST_F(Claims, FeaturesOfGeomGcn) {
  write("geom/out1_node_feature_label.txt",
        "node_id\tfeature\tlabel\n0\t3,2147483646\t0\n1\t5\t1\n");
  write("geom/out1_graph_edges.txt", "node_id\tnode_id\n0\t1\n");
  expect_refused(folder_ / "geom", {"claims 2147483647 features"});
}

// An audit reads features without a column; there is not a byte for any row of them.
TEST_F(Claims, RowsWithoutColumns) {
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
TEST_F(Claims, SplitsOfMasks) {
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

TEST_F(Claims, EdgeLabelsAsColumns) {
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

TEST_F(Claims, OneEdgeToTheLargestNode) {
  const auto path = write("far.txt", "0 2147483646\n2147483646 7\n");
  Dataset data;
  within_memory([&] { data = read_edge_list(path, {2}); });
  EXPECT_EQ(data.nodes(), 3);
  EXPECT_EQ(data.adjacency.row_ptr, (std::vector<Offset>{0, 1, 1, 2}));
  EXPECT_EQ(data.adjacency.columns, (std::vector<Index>{2, 1}));
}

// A vector of one word would be a row of each node.
TEST_F(Claims, NumbersOfAWord) {
  const auto path = write("words.vec", "1 4097\n");
  made::expect_error(
      [&] {
        LineReader lines(path);
        (void)read_word_vectors(lines, {});
      },
      {"words.vec: line 1: says 4097 numbers per word; the limit is 4096"});
}

// ---- bytes that become many ---------------------------------------------------------------------

std::string repeated(const std::string& piece, std::size_t bytes) {
  std::string out;
  out.reserve(bytes);
  while (out.size() < bytes) out += piece;
  return out;
}

// 64 MiB of text are free, and take a few times as much while they are numbers.
TEST_F(Claims, RowsOfAGzipFile) {
  write("bomb/raw/num-node-list.csv", "100000000\n");
  const std::string packed = test::Folder::gzip(repeated("0\n", 80'000'000));
  ASSERT_LT(packed.size(), 100'000u);
  write("bomb/raw/node-label.csv.gz", packed);
  expect_refused(folder_ / "bomb", {"node-label.csv.gz: its ", "over 128 times as many", "gunzip"},
                 ReadMode::kForUse, 700);
}

TEST_F(Claims, TextsOfAZipArchive) {
  made::TuTexts texts = made::small_tu();
  texts["_graph_labels.txt"] = repeated("1\n", 100'000'000);
  made::write_tu_zip(folder_ / "tu.zip", "tu", texts);
  expect_refused(folder_ / "tu.zip", {"tu.zip: its ", "95 MiB", "unpack the archive"});
}

TEST_F(Claims, SmallIntegersOfAnNpzFile) {
  Members members = made::gnn_benchmark_members();
  NpyArray& labels = made::member(members, "labels");
  labels.type = {'i', 1};
  labels.shape = {80'000'000};
  labels.bytes.assign(80'000'000, std::byte{0});
  const auto path = write_arrays("labels.npz", members);
  labels.bytes = {};
  expect_refused(path, {"'labels': its ", "76 MiB", "numpy.savez"});
}

// Dense features that are zeros mostly are what a paper's code writes.
TEST_F(Claims, ZerosOfDenseFeaturesAreRead) {
  const Index nodes = 3000, columns = 6000;  // 69 MiB
  AlignedVector<float> values(static_cast<std::size_t>(nodes) * columns);
  values[0] = 1;
  const std::vector<std::int64_t> classes(static_cast<std::size_t>(nodes), 1);
  const auto path =
      write_arrays("dense.npz", {{"x", make_npy(std::span<const float>(values), {nodes, columns})},
                                 {"edge_index", array<std::int64_t>({0, 1}, {2, 1})},
                                 {"y", make_npy(std::span<const std::int64_t>(classes))}});
  ASSERT_LT(std::filesystem::file_size(path), 200'000u);
  EXPECT_EQ(feature_count(read_dataset(path).features), columns);
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

TEST_F(Claims, NumbersOfACompressedMatFile) {
  const std::uint32_t count = 90'000'000;
  std::string matrix;  // type, size; flags of uint8; 1 x count; the name A; numbers of one byte
  for (const std::uint32_t word : {14u, count + 56, 6u, 8u, 9u, 0u, 5u, 8u, 1u, count, 1u, 1u})
    put(matrix, word);
  matrix.append("A\0\0\0\0\0\0\0", 8);
  put(matrix, 2u);
  put(matrix, count);
  matrix.append(count, '\1');
  uLongf size = compressBound(matrix.size());
  std::string packed(size, '\0');
  ASSERT_EQ(::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                       reinterpret_cast<const Bytef*>(matrix.data()), matrix.size()),
            Z_OK);
  packed.resize(size);
  matrix = {};
  std::string file = "MATLAB 5.0 MAT-file";
  file.resize(124, ' ');
  file += std::string("\0\1IM", 4);
  put(file, 15u);
  put(file, static_cast<std::uint32_t>(packed.size()));
  expect_refused(write("bomb.mat", file + packed), {"bomb.mat: its ", "-v6"}, ReadMode::kForUse,
                 200);
}

// Two instructions of two bytes decode a text again.
TEST_F(Claims, TextsThatAPickleDecodesAgainAndAgain) {
  const std::string text(50'000, 'x');
  std::string bytes =
      "\x80\x02"
      "c_codecs\nencode\nq\x01X";
  put(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text + "U\x06latin1\x86q\x02" + "0";
  bytes += repeated("h\x01h\x02R0", 100'000) + "N.";
  within_memory([&] {
    made::expect_error([&] { const Pickle pickle("p", bytes); },
                       {"p: byte ", "its texts are longer than it is"});
  });
}

TEST_F(Claims, MoleculesOfManyAtoms) {
  if (!molecules_available()) GTEST_SKIP() << "built without RDKit: no molecule is read";
  expect_refused(write("long.csv", "smiles,y\nC,0\n" + std::string(400'000, 'C') + ",1\n"),
                 {"long.csv: line 3: a SMILES of 400000 characters, at most 10000"});
}

// A link that leads to itself is neither there nor not.
TEST_F(Claims, LinksThatLeadNowhere) {
  write("csv/labels.csv", "node,label\na,x\nb,y\n");
  write("csv/edges.csv", "source,target\na,b\n");
  std::filesystem::create_symlink("features.csv", folder_ / "csv/features.csv");
  made::expect_error([&] { (void)read_dataset(folder_ / "csv"); },
                     {"features.csv: cannot be opened"});
}

// Looked at again with every block, a long tag would take the square of its size.
TEST_F(Claims, ATagOfManyMegabytes) {
  std::string text = "<graphml><graph>\n<node id='";
  text.append(40'000'000, 'x');
  expect_refused(write("tag.graphml", text + "'/></graph></graphml>"),
                 {"tag.graphml: line 2: a tag of more than 16 MiB"});
}

// Columns of labels far from each other, of which each would have a table.
TEST_F(Claims, ManyColumnsOfLabels) {
  made::TuTexts texts = made::small_tu();
  texts["_A.txt"] = "1,2\n";
  texts["_graph_indicator.txt"] = "1\n1\n";
  texts["_graph_labels.txt"] = "1\n";
  texts["_edge_labels.txt"] = "1\n";
  std::string &labels = texts["_node_labels.txt"], low, high;
  constexpr int kColumns = 300'000;
  for (int c = 0; c < kColumns; ++c) {
    low += c == 0 ? "0" : ",0";
    high += c == 0 ? "65535" : ",65535";
  }
  labels = low + "\n" + high + "\n";
  made::write_tu(folder_ / "tu", "tu", texts);
  const auto begin = std::chrono::steady_clock::now();
  const Dataset data = read_dataset(folder_ / "tu");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
  EXPECT_EQ(feature_count(data.features), 2 * kColumns);
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

TEST_F(Claims, WhatFollowsAWrongLineIsNotRead) {
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
