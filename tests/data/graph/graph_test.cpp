// Operations on graphs against dense matrices, the slow way.
#include "cupel/data/graph/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "cupel/base/random.h"
#include "cupel/data/graph/canonical.h"
#include "cupel/data/graph/simple_undirected.h"

namespace cupel {
namespace {

using Dense = std::vector<std::vector<float>>;

// Entries absent from the pattern are 0, so explicit zeros are told by `stored`.
Dense dense(const Csr& m) {
  Dense out(m.rows, std::vector<float>(m.cols, 0.0f));
  for (Index i = 0; i < m.rows; ++i) {
    for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
      out[i][m.columns[at]] = m.value(at);
    }
  }
  return out;
}

Csr random_graph(Index nodes, int edges, std::uint32_t seed, bool weighted) {
  Stream random({seed, 7}, 1);
  std::vector<Edge> list;
  std::vector<float> weights;
  for (int e = 0; e < edges; ++e) {
    list.push_back({static_cast<Index>(random.next_below(nodes)),
                    static_cast<Index>(random.next_below(nodes))});
    // Small whole numbers of both signs: sums are exact, and some cancel to explicit zeros.
    weights.push_back(weighted ? static_cast<float>(random.next_below(5)) - 2.0f : 1.0f);
  }
  return weighted ? from_edges(nodes, list, weights) : from_edges(nodes, list);
}

void expect_valid(const Csr& m) {
  ASSERT_EQ(m.row_ptr.size(), static_cast<std::size_t>(m.rows) + 1);
  ASSERT_TRUE(m.values.empty() || m.values.size() == m.columns.size());
  for (Index i = 0; i < m.rows; ++i) {
    const auto columns = m.row_columns(i);
    ASSERT_TRUE(std::adjacent_find(columns.begin(), columns.end(), std::greater_equal<>()) ==
                columns.end());
  }
}

class RandomGraphs : public testing::TestWithParam<int> {
 protected:
  // Sparse enough for several components, dense enough for repeats and loops.
  const Csr graph_ = random_graph(3 + GetParam() % 17, GetParam() * 2,
                                  static_cast<std::uint32_t>(GetParam()), GetParam() % 2 == 1);
  const Index n_ = graph_.rows;
  const Dense a_ = dense(graph_);
};

TEST_P(RandomGraphs, SymmetriseIsTheNonZerosOfAPlusItsTranspose) {
  const Csr result = symmetrise(graph_);
  expect_valid(result);
  EXPECT_TRUE(result.is_pattern());
  const Dense s = dense(result);
  for (Index i = 0; i < n_; ++i) {
    for (Index j = 0; j < n_; ++j) EXPECT_EQ(s[i][j], a_[i][j] + a_[j][i] != 0 ? 1.0f : 0.0f);
  }
  EXPECT_TRUE(is_symmetric(result));
}

TEST_P(RandomGraphs, DropSelfLoopsLeavesTheOtherNonZeros) {
  const Csr result = drop_self_loops(graph_);
  expect_valid(result);
  Dense wanted = a_;
  for (Index i = 0; i < n_; ++i) wanted[i][i] = 0;
  EXPECT_EQ(dense(result), wanted);
  EXPECT_EQ(count_self_loops(result), 0);
  for (Offset at = 0; at < result.entries(); ++at) EXPECT_NE(result.value(at), 0.0f);
}

TEST_P(RandomGraphs, AddSelfLoopsIsTheUnionWithTheDiagonal) {
  const Csr result = add_self_loops(graph_);
  expect_valid(result);
  EXPECT_TRUE(result.is_pattern());
  EXPECT_EQ(count_self_loops(result), n_);
  for (Index i = 0; i < n_; ++i) {
    for (Index j = 0; j < n_; ++j) {
      const auto has = [j](const Csr& m, Index row) {
        const auto columns = m.row_columns(row);
        return std::binary_search(columns.begin(), columns.end(), j);
      };
      EXPECT_EQ(has(result, i), i == j || has(graph_, i));
    }
  }
}

TEST_P(RandomGraphs, SimpleUndirectedJoinsWhateverIsStored) {
  const Csr result = simple_undirected(graph_);
  expect_valid(result);
  EXPECT_TRUE(result.is_pattern());
  Csr pattern = graph_;
  pattern.values = {};
  const Dense stored = dense(pattern), joined = dense(result);
  Offset pairs = 0;
  for (Index i = 0; i < n_; ++i) {
    for (Index j = 0; j < n_; ++j) {
      EXPECT_EQ(joined[i][j], i != j && stored[i][j] + stored[j][i] > 0 ? 1.0f : 0.0f);
      pairs += j > i && joined[i][j] > 0;
    }
  }
  EXPECT_EQ(count_undirected_edges(graph_), pairs);
}

TEST_P(RandomGraphs, ComponentsAreTheClassesOfReachability) {
  // Warshall's closure of the undirected graph.
  std::vector<std::vector<char>> reach(n_, std::vector<char>(n_, 0));
  for (Index i = 0; i < n_; ++i) {
    reach[i][i] = 1;
    for (const Index j : graph_.row_columns(i)) reach[i][j] = reach[j][i] = 1;
  }
  for (Index k = 0; k < n_; ++k) {
    for (Index i = 0; i < n_; ++i) {
      for (Index j = 0; j < n_; ++j) reach[i][j] |= reach[i][k] && reach[k][j];
    }
  }
  const Components components = connected_components(graph_);
  Index seen = -1;
  for (Index i = 0; i < n_; ++i) {
    EXPECT_EQ(components.sizes[components.of_node[i]],
              std::count(reach[i].begin(), reach[i].end(), 1));
    for (Index j = 0; j < n_; ++j) {
      EXPECT_EQ(components.of_node[i] == components.of_node[j], reach[i][j] == 1);
    }
    EXPECT_LE(components.of_node[i], seen + 1) << "components are numbered by their smallest node";
    seen = std::max(seen, components.of_node[i]);
  }
}

TEST_P(RandomGraphs, InducedSubgraphSelectsRowsAndColumns) {
  std::vector<Index> nodes;
  for (Index i = 0; i < n_; ++i) {
    if (i % 3 != 1) nodes.push_back(i);
  }
  const Csr result = induced_subgraph(graph_, nodes);
  expect_valid(result);
  const Dense s = dense(result);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = 0; j < nodes.size(); ++j) EXPECT_EQ(s[i][j], a_[nodes[i]][nodes[j]]);
  }
}

TEST_P(RandomGraphs, CountsAreCounts) {
  Offset pairs = 0, loops = 0;
  for (Index i = 0; i < n_; ++i) {
    const auto has = [&](Index row, Index column) {
      const auto columns = graph_.row_columns(row);
      return std::find(columns.begin(), columns.end(), column) != columns.end();
    };
    loops += has(i, i);
    for (Index j = 0; j < i; ++j) pairs += has(i, j) || has(j, i);
  }
  EXPECT_EQ(count_undirected_edges(graph_), pairs);
  EXPECT_EQ(count_self_loops(graph_), loops);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, testing::Range(0, 24));

TEST(FromEdges, SortsAndMerges) {
  const std::vector<Edge> edges = {{2, 1}, {0, 2}, {2, 0}, {0, 2}, {1, 1}};
  const Csr pattern = from_edges(3, edges);
  EXPECT_EQ(pattern.row_ptr, (std::vector<Offset>{0, 1, 2, 4}));
  EXPECT_EQ(pattern.columns, (std::vector<Index>{2, 1, 0, 1}));
  EXPECT_TRUE(pattern.is_pattern());
  const Csr summed = from_edges(3, edges, std::vector<float>{1, 0.5f, 2, 0.25f, -1});
  EXPECT_EQ(summed.columns, pattern.columns);
  EXPECT_EQ(std::vector<float>(summed.values.begin(), summed.values.end()),
            (std::vector<float>{0.75f, -1, 2, 1}));
}

TEST(FromEdges, UnitWeightsGiveAPattern) {
  const std::vector<Edge> edges = {{0, 1}, {1, 0}};
  EXPECT_TRUE(from_edges(2, edges, std::vector<float>{1, 1}).is_pattern());
  EXPECT_FALSE(from_edges(2, edges, std::vector<float>{1, 2}).is_pattern());
}

TEST(FromEdges, IdsOutsideAreABug) {
  EXPECT_THROW(from_edges(2, std::vector<Edge>{{0, 2}}), std::logic_error);
  EXPECT_THROW(from_edges(2, std::vector<Edge>{{-1, 0}}), std::logic_error);
}

TEST(Canonical, AClaimOfManyColumnsCostsNothing) {
  Csr m;
  m.rows = 1;
  m.cols = 0x7fffffff;
  m.row_ptr = {0, 3};
  m.columns = {0x7ffffffe, 5, 5};
  m.values = {1, 2, 3};
  const Csr result = canonical(m);
  EXPECT_EQ(result.columns, (std::vector<Index>{5, 0x7ffffffe}));
  EXPECT_EQ(result.values[0], 5.0f);
  EXPECT_EQ(result.values[1], 1.0f);
}

TEST(IsSymmetric, SeesValues) {
  const std::vector<Edge> edges = {{0, 1}, {1, 0}};
  EXPECT_TRUE(is_symmetric(from_edges(2, edges, std::vector<float>{3, 3})));
  EXPECT_FALSE(is_symmetric(from_edges(2, edges, std::vector<float>{3, 4})));
  EXPECT_FALSE(is_symmetric(from_edges(2, std::vector<Edge>{{0, 1}})));
}

TEST(LongPath, ComponentsOfAPathAreFoundWithoutDeepRecursion) {
  const Index n = 200000;
  std::vector<Edge> edges;
  for (Index i = n - 1; i > 0; --i) edges.push_back({i, i - 1});
  const Components components = connected_components(from_edges(n, edges));
  EXPECT_EQ(components.sizes, std::vector<Index>{n});
}

TEST(EmptyGraph, IsFine) {
  const Csr none = from_edges(3, std::vector<Edge>{});
  EXPECT_EQ(symmetrise(none).entries(), 0);
  EXPECT_EQ(connected_components(none).sizes.size(), 3u);
  EXPECT_EQ(induced_subgraph(none, {}).rows, 0);
}

}  // namespace
}  // namespace cupel
