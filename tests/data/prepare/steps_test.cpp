// Steps as a registry of files, and those that make a directed list undirected, against lists of
// arcs written out one by one.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "build_paths.h"
#include "cupel/base/random.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/prepare.h"
#include "data/formats/made_files.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using made::expect_error;

using Arcs = std::map<std::pair<Index, Index>, int>;  // how often each is there

Arcs arcs_of_rows(const Csr& graph) {
  Arcs out;
  for (Index i = 0; i < graph.rows; ++i) {
    for (const Index j : graph.row_columns(i)) ++out[{i, j}];
  }
  return out;
}

Dataset with_arcs(Index nodes, const std::vector<Edge>& arcs, const std::vector<float>& values) {
  Dataset out;
  out.name = "made";
  out.adjacency = from_edges(nodes, arcs, values);
  out.features = Matrix(nodes, 1);
  out.labels().assign(static_cast<std::size_t>(nodes), 0);
  out.class_names() = {"a"};
  return out;
}

// A list as Wiki-CS's file has: entries repeat, some lead to where they come from, some both ways.
std::vector<Edge> random_list(Index nodes, int arcs, std::uint32_t seed) {
  Stream random({seed, 11}, 1);
  std::vector<Edge> out;
  for (int e = 0; e < arcs; ++e) {
    out.push_back({static_cast<Index>(random.next_below(nodes)),
                   static_cast<Index>(random.next_below(nodes))});
  }
  return out;
}

void expect_rows_ascend(const Csr& graph) {
  ASSERT_EQ(graph.row_ptr.size(), static_cast<std::size_t>(graph.rows) + 1);
  ASSERT_EQ(graph.entries(), std::ssize(graph.columns));
  for (Index i = 0; i < graph.rows; ++i)
    EXPECT_TRUE(std::ranges::is_sorted(graph.row_columns(i))) << i;
}

TEST(Steps, EveryFileIsAStepAndARowOfTheDocs) {
  std::size_t files = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(CUPEL_SOURCE_DIR) / "src/cupel/data/prepare/steps"))
    files += entry.path().extension() == ".cpp";
  const auto steps = preparation_steps();
  EXPECT_EQ(steps.size(), files);
  std::ifstream file(fs::path(CUPEL_SOURCE_DIR) / "docs/protocols.md");
  std::stringstream docs;
  docs << file.rdbuf();
  for (const auto& [name, doc] : steps)
    EXPECT_NE(docs.str().find("\n| `" + name + "` |"), std::string::npos) << name;
}

TEST(Steps, AreListedInTheOrderInWhichTheyAreDone) {
  std::vector<std::string> names;
  for (const auto& [name, doc] : preparation_steps()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"unweight", "symmetrise", "both-directions",
                                             "drop-self-loops", "largest-component",
                                             "drop-small-classes:N", "drop-edgeless-graphs",
                                             "binarise-features", "row-normalise-features"}));
}

TEST(Steps, BothDirectionsIsTheListAndItsReverse) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Index nodes = 3 + static_cast<Index>(seed);
    const auto list = random_list(nodes, static_cast<int>(seed) * 7, seed);
    Arcs wanted;
    for (const auto& [i, j] : list) ++wanted[{i, j}], ++wanted[{j, i}];
    const std::vector<float> ones(list.size(), 1.0f);
    const Dataset out = prepare(with_arcs(nodes, list, ones), {"both-directions"});
    expect_rows_ascend(out.adjacency);
    EXPECT_TRUE(out.adjacency.is_pattern());
    EXPECT_EQ(out.adjacency.entries(), 2 * std::ssize(list));
    EXPECT_EQ(arcs_of_rows(out.adjacency), wanted);
    EXPECT_TRUE(is_symmetric(out.adjacency));
    EXPECT_EQ(out.history.back().arcs, 2 * std::ssize(list));

    // The released code: self-arcs go, one is added at each node. Degrees count parallel arcs.
    std::vector<Offset> degrees(static_cast<std::size_t>(nodes), 1);
    Arcs released;
    for (const auto& [arc, times] : wanted) {
      if (arc.first == arc.second) continue;
      released[arc] = times;
      degrees[arc.first] += times;
    }
    for (Index i = 0; i < nodes; ++i) released[{i, i}] = 1;
    const Csr gcn = add_self_loops(
        prepare(with_arcs(nodes, list, ones), {"both-directions", "drop-self-loops"}).adjacency);
    expect_rows_ascend(gcn);
    EXPECT_EQ(arcs_of_rows(gcn), released);
    for (Index i = 0; i < nodes; ++i) EXPECT_EQ(gcn.row_size(i), degrees[i]) << i;
  }
}

// torch_geometric.utils.to_undirected and dgl.to_bidirected on the same list: both directions,
// each arc once, self-loops kept.
TEST(Steps, SymmetriseIsBothDirectionsMerged) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const auto list = random_list(9, static_cast<int>(seed) * 5, seed);
    Arcs wanted;
    for (const auto& [i, j] : list) wanted[{i, j}] = wanted[{j, i}] = 1;
    const Dataset raw = with_arcs(9, list, std::vector<float>(list.size(), 1.0f));
    EXPECT_EQ(arcs_of_rows(prepare(raw, {"symmetrise"}).adjacency), wanted);
    EXPECT_EQ(arcs_of_rows(prepare(raw, {"both-directions", "symmetrise"}).adjacency), wanted)
        << "parallel arcs merge";
  }
}

TEST(Steps, StepsAfterBothDirectionsKeepParallelArcs) {
  // 0 -> 1 twice and back once; 2 -> 2 once; 3 -> 4.
  const Dataset raw = with_arcs(5, {{0, 1}, {1, 0}, {2, 2}, {3, 4}}, {2, 1, 1, 1});
  const Dataset both = prepare(raw, {"both-directions"});
  EXPECT_EQ(both.adjacency.columns, (std::vector<Index>{1, 1, 1, 0, 0, 0, 2, 2, 4, 3}));
  EXPECT_EQ(count_self_loops(both.adjacency), 2);
  EXPECT_EQ(count_undirected_edges(both.adjacency), 2);
  EXPECT_EQ(prepare(both, {"drop-self-loops"}).adjacency.columns,
            (std::vector<Index>{1, 1, 1, 0, 0, 0, 4, 3}));
  EXPECT_EQ(prepare(both, {"largest-component"}).adjacency.columns,
            (std::vector<Index>{1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(prepare(both, {"unweight"}).adjacency.columns, both.adjacency.columns);
  EXPECT_NE(content_hash(both), content_hash(prepare(both, {"symmetrise"})));
  // A zero is no arc.
  const Dataset zero = with_arcs(3, {{0, 1}, {1, 2}}, {0, 3});
  EXPECT_EQ(prepare(zero, {"both-directions"}).adjacency.columns,
            (std::vector<Index>{2, 2, 2, 1, 1, 1}));
  EXPECT_EQ(prepare(with_arcs(0, {}, {}), {"both-directions"}).adjacency.entries(), 0);
}

TEST(Steps, ValuesThatAreNoNumbersOfArcsAreRefused) {
  for (const float bad : {0.5f, -1.0f, NAN, INFINITY}) {
    const Dataset raw = with_arcs(3, {{0, 1}, {1, 2}}, {2, bad});
    expect_error([&] { (void)prepare(raw, {"both-directions"}); },
                 {"made", "1 -> 2", fmt::format("{}", bad), "\"unweight\""});
    EXPECT_EQ(prepare(raw, {"unweight", "both-directions"}).adjacency.entries(), 4);
  }
  expect_error(
      [] {
        (void)prepare(with_arcs(2, {{0, 1}}, {1000001}), {"both-directions"});
      },
      {"made", "1000001", "1000000 at most"});
  expect_error(
      [] {
        (void)prepare(with_arcs(2, {{0, 1}, {1, 0}}, {3e38f, 3e38f}), {"both-directions"});
      },
      {"e+38 for 2 stored arcs"});
  EXPECT_EQ(prepare(with_arcs(2, {{0, 1}}, {1000000}), {"both-directions"}).adjacency.entries(),
            2000000);
  Dataset set = with_arcs(2, {{0, 1}, {1, 0}}, {1, 1});
  set.graphs.emplace();
  set.graphs->start = {0, 2};
  expect_error([&] { (void)prepare(set, {"both-directions"}); },
               {"set of 1 graphs", "leave it out"});
}

}  // namespace
}  // namespace cupel
