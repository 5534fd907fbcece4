// Small files that unpack to much: each is refused, or read, within memory that its bytes account
// for.
#include <zlib.h>

#include <chrono>
#include <cstring>

#include "cupel/data/formats/pickle.h"
#include "cupel/data/molecules/molecule.h"
#include "data/build/made_text.h"
#include "data/formats/claims_place.h"
#include "data/formats/made_tu.h"

namespace cupel {
namespace {

using made::array;
using made::Members;

std::string repeated(const std::string& piece, std::size_t bytes) {
  std::string out;
  out.reserve(bytes);
  while (out.size() < bytes) out += piece;
  return out;
}

// 64 MiB of text are free, and take a few times as much while they are numbers.
TEST_F(ClaimsPlace, RowsOfAGzipFile) {
  write("bomb/raw/num-node-list.csv", "100000000\n");
  const std::string packed = test::Folder::gzip(repeated("0\n", 80'000'000));
  ASSERT_LT(packed.size(), 100'000u);
  write("bomb/raw/node-label.csv.gz", packed);
  expect_refused(folder_ / "bomb", {"node-label.csv.gz: its ", "over 128 times as many", "gunzip"},
                 ReadMode::kForUse, 700);
}

TEST_F(ClaimsPlace, TextsOfAZipArchive) {
  made::TuTexts texts = made::small_tu();
  texts["_graph_labels.txt"] = repeated("1\n", 100'000'000);
  made::write_tu_zip(folder_ / "tu.zip", "tu", texts);
  expect_refused(folder_ / "tu.zip", {"tu.zip: its ", "95 MiB", "unpack the archive"});
}

TEST_F(ClaimsPlace, SmallIntegersOfAnNpzFile) {
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
TEST_F(ClaimsPlace, ZerosOfDenseFeaturesAreRead) {
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

TEST_F(ClaimsPlace, NumbersOfACompressedMatFile) {
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
TEST_F(ClaimsPlace, TextsThatAPickleDecodesAgainAndAgain) {
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

TEST_F(ClaimsPlace, MoleculesOfManyAtoms) {
  if (!molecules_available()) GTEST_SKIP() << "built without RDKit: no molecule is read";
  expect_refused(write("long.csv", "smiles,y\nC,0\n" + std::string(400'000, 'C') + ",1\n"),
                 {"long.csv: line 3: a SMILES of 400000 characters, at most 10000"});
}

// A link that leads to itself is neither there nor not.
TEST_F(ClaimsPlace, LinksThatLeadNowhere) {
  write("csv/labels.csv", "node,label\na,x\nb,y\n");
  write("csv/edges.csv", "source,target\na,b\n");
  std::filesystem::create_symlink("features.csv", folder_ / "csv/features.csv");
  made::expect_error([&] { (void)read_dataset(folder_ / "csv"); },
                     {"features.csv: cannot be opened"});
}

// Looked at again with every block, a long tag would take the square of its size.
TEST_F(ClaimsPlace, ATagOfManyMegabytes) {
  std::string text = "<graphml><graph>\n<node id='";
  text.append(40'000'000, 'x');
  expect_refused(write("tag.graphml", text + "'/></graph></graphml>"),
                 {"tag.graphml: line 2: a tag of more than 16 MiB"});
}

// Columns of labels far from each other, of which each would have a table.
TEST_F(ClaimsPlace, ManyColumnsOfLabels) {
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

}  // namespace
}  // namespace cupel
