// Copies of nodes: against a quadratic search, and against the released files of the paper.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>

#include "cupel/data/audit/groups.h"
#include "cupel/data/catalog/catalog.h"
#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

// The rule as a sentence, pair by pair.
std::vector<Index> slow_wikipedia(const Csr& graph, const std::vector<Index>& labels) {
  const Csr in = transpose(graph);
  std::vector<Index> out;
  for (Index i = 0; i < graph.rows; ++i) {
    bool copy = false;
    for (Index j = 0; j < graph.rows; ++j) {
      copy = copy ||
             (labels[i] == labels[j] && graph.row_size(i) > 0 && in.row_size(i) == 0 &&
              in.row_size(j) > 0 && std::ranges::equal(graph.row_columns(i), graph.row_columns(j)));
    }
    if (copy) out.push_back(i);
  }
  return out;
}

TEST(Groups, WikipediaRuleEqualsASearchOverPairs) {
  std::mt19937 random(7);
  std::size_t found = 0;
  for (int trial = 0; trial < 200; ++trial) {
    // Few targets make equal out-sets frequent, nodes beyond them are entered by none.
    const Index nodes = 12, targets = 5;
    std::vector<Edge> edges;
    for (Index i = 0; i < nodes; ++i) {
      for (Index j = 0; j < targets; ++j) {
        if (random() % 3 == 0) edges.push_back({i, j});
      }
    }
    std::vector<Index> labels(nodes);
    for (Index& label : labels) label = static_cast<Index>(random() % 2);
    const Csr graph = from_edges(nodes, edges);
    const auto fast = wikipedia_duplicates(graph, labels);
    EXPECT_EQ(fast, slow_wikipedia(graph, labels));
    found += fast.size();
  }
  EXPECT_GT(found, 50u);
}

TEST(Groups, AGroupThatNoArcEntersIsKept) {
  // 1 and 2 point at 0 and nothing points at them; 3 is like 0, entered by itself.
  const Csr graph = from_edges(4, std::vector<Edge>{{1, 0}, {2, 0}, {3, 3}});
  EXPECT_TRUE(wikipedia_duplicates(graph, std::vector<Index>{0, 0, 0, 0}).empty());
}

TEST(Groups, ASelfLoopIsAnArcInBothDirections) {
  // 0 and 1 both point at 0 alone, 0 through its loop; 0 is entered, 1 is not.
  const Csr graph = from_edges(2, std::vector<Edge>{{0, 0}, {1, 0}});
  EXPECT_EQ(wikipedia_duplicates(graph, std::vector<Index>{0, 0}), std::vector<Index>{1});
  EXPECT_TRUE(wikipedia_duplicates(graph, std::vector<Index>{0, 1}).empty());
}

TEST(Groups, EqualFeaturesAreTheSameDenseAndSparse) {
  Matrix dense(6, 3);
  const float rows[6][3] = {{1, 0, 2}, {0, 0, 0}, {1, -0.0f, 2}, {2, 0, 1}, {0, 0, 0}, {2, 0, 1}};
  Csr sparse;
  sparse.rows = 6;
  sparse.cols = 3;
  for (Index i = 0; i < 6; ++i) {
    for (Index c = 0; c < 3; ++c) {
      dense(i, c) = rows[i][c];
      // An explicit zero in one of two equal rows must not tell them apart.
      if (rows[i][c] == 0 && !(i == 2 && c == 1)) continue;
      sparse.columns.push_back(c);
      sparse.values.push_back(rows[i][c]);
    }
    sparse.row_ptr.push_back(static_cast<Offset>(sparse.columns.size()));
  }
  const Groups expected = {{0, 2}, {3, 5}};
  EXPECT_EQ(equal_features(dense), expected);
  EXPECT_EQ(equal_features(sparse), expected);
  EXPECT_EQ(count_zero_rows(dense), 2);
  EXPECT_EQ(count_zero_rows(sparse), 2);
}

TEST(Groups, EqualNeighboursNeedTheSameLabelAndEnoughNeighbours) {
  // 2, 3, 4 have the neighbours {0, 1}; 5 and 6 hang on 0 alone.
  const Csr graph = symmetrise(from_edges(
      7, std::vector<Edge>{{0, 2}, {1, 2}, {0, 3}, {1, 3}, {0, 4}, {1, 4}, {0, 5}, {0, 6}}));
  const std::vector<Index> labels = {0, 0, 1, 1, 0, 1, 1};
  EXPECT_EQ(equal_neighbours(graph, labels, 2), (Groups{{2, 3}}));
  EXPECT_EQ(equal_neighbours(graph, labels, 1), (Groups{{2, 3}, {5, 6}}));
}

// Table 5 of the paper counts what is kept: 2223 and 890. The files hold which.
TEST(Groups, RealWikipediaCopiesAreThoseOfThePaper) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  for (const auto& [name, copies] : {std::pair{"squirrel", 2978u}, {"chameleon", 1387u}}) {
    const std::string stored = std::string(name) + "-directed";
    if (!std::filesystem::exists(std::filesystem::path(data) / stored))
      GTEST_SKIP() << "CUPEL_DATA has no " << stored;
    const Dataset dataset = load_dataset(stored, data);
    EXPECT_EQ(wikipedia_duplicates(dataset.adjacency, dataset.labels()).size(), copies) << name;
    // Without directions the rule has nothing to go by.
    const Csr both = symmetrise(dataset.adjacency);
    EXPECT_TRUE(wikipedia_duplicates(both, dataset.labels()).empty()) << name;
  }
}

}  // namespace
}  // namespace cupel
