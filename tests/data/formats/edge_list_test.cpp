#include "cupel/data/formats/edge_list.h"

#include <gtest/gtest.h>

#include "cupel/base/random.h"
#include "cupel/data/graph/graph.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

class EdgeList : public testing::Test {
 protected:
  Dataset read(const std::string& content, int threads = 2) {
    made::write_file(folder_ / "graph.txt", content);
    return read_edge_list(folder_ / "graph.txt", {threads});
  }
  void expect_refused(const std::string& content, std::vector<std::string> pieces) {
    pieces.push_back("graph.txt");
    made::expect_error([&] { (void)read(content); }, pieces);
  }

  const made::Folder folder_;
};

TEST_F(EdgeList, SeparatorsCommentsAndLineEnds) {
  const Dataset d =
      read("# made by hand\n% KONECT's comments\n\n0 1\n 1\t2 \r\n2,0\n0 , 2\r\n  \n# end\n1 1");
  EXPECT_EQ(d.name, "graph");
  EXPECT_EQ(d.nodes(), 3);
  EXPECT_EQ(d.adjacency.row_ptr, (std::vector<Offset>{0, 2, 4, 5}));
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 2, 1, 2, 0}));
  EXPECT_TRUE(d.adjacency.is_pattern());
  EXPECT_TRUE(d.labels().empty());
  EXPECT_EQ(d.classes(), 0);
  EXPECT_EQ(feature_count(d.features), 0);
}

TEST_F(EdgeList, AByteOrderMarkIsSkipped) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "1 2\n")
                .nodes(),
            2);
  expect_refused("\xef\xbb\xbf", {"holds no edge"});
  expect_refused(
      "1 2\n\xef\xbb\xbf"
      "3 4\n",
      {"line 2", "is not an edge"});
}

TEST_F(EdgeList, FilesOfOtherKindsAreToldSo) {
  expect_refused("graph [\n]\n",
                 {"line 1: 'graph [' is not an edge", "or give a file in a format"});
  expect_refused(std::string("\xff\xfe<\0?\0\n\0", 8), {"line 1: begins as UTF-16 does", "UTF-8"});
  expect_refused(std::string("\xfe\xff\0<\0?\0\n", 8), {"line 1: begins as UTF-16 does"});
}

TEST_F(EdgeList, NodesAreTheNumbersThatOccur) {
  const Dataset d = read("1 5000000\n70 1\n007 70\n");
  EXPECT_EQ(d.nodes(), 4) << "1, 7, 70 and 5000000";
  EXPECT_EQ(d.adjacency.row_ptr, (std::vector<Offset>{0, 1, 2, 3, 3}));
  EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{3, 2, 0}));
}

TEST_F(EdgeList, RepeatsAreOneArc) {
  const Dataset d = read("0 1\n0 1\n1 0\n0 1\n");
  EXPECT_EQ(d.adjacency.row_ptr, (std::vector<Offset>{0, 1, 2}));
}

// Several pieces of the file, lines across their ends, long rows, numbers with gaps.
TEST_F(EdgeList, LargeFilesAreWhatTheirLinesSay) {
  Stream random({1, 2}, 3);
  std::vector<Edge> edges;
  std::string text(100000, '#');
  text += "\n";
  constexpr Index kNodes = 60000;
  for (int e = 0; e < 900000; ++e) {
    const auto u = static_cast<Index>(random.next_below(e % 3 == 0 ? 5 : kNodes));
    const auto v = static_cast<Index>(random.next_below(kNodes));
    edges.push_back({u, v});
    text += fmt::format("{}{}{}\n", 3 * u, e % 2 ? " " : ",  ", 3 * v);
    if (e % 1000 == 0) text += "\n";
  }
  ASSERT_GT(text.size(), 2u * (1 << 22));
  const Csr wanted = from_edges(kNodes, edges);
  for (const int threads : {1, 4}) {
    const Dataset d = read(text, threads);
    ASSERT_EQ(d.nodes(), kNodes) << "every number occurs";
    EXPECT_EQ(d.adjacency.row_ptr, wanted.row_ptr);
    EXPECT_EQ(d.adjacency.columns, wanted.columns);
  }
  std::string wrong = text + "1 2 x\n";
  const auto lines = std::count(wrong.begin(), wrong.end(), '\n');
  expect_refused(wrong, {fmt::format("line {}: '1 2 x' is not an edge", lines)});
  // Two mistakes in different pieces: the first is told.
  wrong.insert(wrong.find('\n') + 1, "a b\n");
  expect_refused(wrong, {"line 2: 'a b' is not an edge"});
}

// A line that begins exactly where a piece does belongs to that piece alone.
TEST_F(EdgeList, LinesAtTheEndsOfPieces) {
  constexpr std::size_t kFirst = 1 << 16, kPiece = 1 << 22;
  for (const std::size_t end : {kFirst, kFirst + kPiece, kFirst + 2 * kPiece})
    for (const std::size_t shift : {0u, 1u, 2u, 3u, 4u, 5u}) {
      std::string text(end - 1 - shift, '#');
      for (std::size_t at = 999; at + 1 < text.size(); at += 1000) text[at] = '\n';
      text += "\n5 6\n7 8\n9 5";
      const Dataset d = read(text);
      EXPECT_EQ(d.nodes(), 5) << shift;
      EXPECT_EQ(d.adjacency.columns, (std::vector<Index>{1, 3, 0})) << shift;
    }
}

TEST_F(EdgeList, WrongLinesAreNamed) {
  expect_refused("0 1\nsource,target\n", {"line 2", "'source,target'", "two whole numbers"});
  expect_refused("0\n", {"line 1", "'0'"});
  expect_refused("0 1 2.5\n", {"line 1", "'0 1 2.5'"});
  expect_refused("# c\n\n0 1 7\n", {"line 3", "3 numbers", "two are needed"});
  expect_refused("1 2 5 1400000000\n",
                 {"line 1", "of facts over time those of source, target and time"});
  expect_refused("-1 2\n", {"line 1", "'-1 2'"});
  expect_refused("1.0 2\n", {"'1.0 2'"});
  expect_refused("1,,2\n", {"'1,,2'"});
  expect_refused("0 2147483647\n", {"line 1", "'2147483647'", "too large", "2147483646"});
  expect_refused("99999999999999999999999 1\n", {"too large"});
  expect_refused("", {"no edge"});
  expect_refused("# nothing\n", {"no edge"});
  expect_refused(std::string("0 1\n\0\1\2\n", 8), {"line 2", "\\x00"});
  expect_refused(std::string(6 << 20, '7'), {"line 1"});
  expect_refused("\x1f\x8b\x08 packed", {"line 1", "gzip", "gunzip"});
}

}  // namespace
}  // namespace cupel
