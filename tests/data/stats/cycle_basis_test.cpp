#include "cupel/data/stats/cycle_basis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "cupel/data/stats/graph_set_properties.h"
#include "data/made_graph_sets.h"

namespace cupel::test {
namespace {

using Adjacency = std::map<Index, std::vector<Index>>;  // neighbours in the order of their edges
using Cycles = std::vector<std::vector<Index>>;

// cycle_basis() of NetworkX 2.8, line by line, on its own containers; the set of unvisited nodes is
// asked for its smallest, as CPython's of small integers is.
Cycles networkx_cycle_basis(const Adjacency& graph) {
  std::set<Index> left;
  for (const auto& [node, neighbours] : graph) left.insert(node);
  Cycles cycles;
  while (!left.empty()) {
    const Index root = *left.begin();
    std::vector<Index> stack = {root};
    std::map<Index, Index> pred = {{root, root}};
    std::map<Index, std::set<Index>> used;
    used[root];
    while (!stack.empty()) {
      const Index z = stack.back();
      stack.pop_back();
      for (const Index nbr : graph.at(z)) {
        if (!used.contains(nbr)) {
          pred[nbr] = z;
          stack.push_back(nbr);
          used[nbr] = {z};
        } else if (!used[z].contains(nbr)) {
          const std::set<Index>& pn = used[nbr];
          std::vector<Index> cycle = {nbr, z};
          Index p = pred[z];
          while (!pn.contains(p)) {
            cycle.push_back(p);
            p = pred[p];
          }
          cycle.push_back(p);
          cycles.push_back(cycle);
          used[nbr].insert(z);
        }
      }
    }
    for (const auto& [node, parent] : pred) left.erase(node);
  }
  return cycles;
}

Cycles found(const Csr& graph, Index begin, Index end) {
  Cycles cycles;
  CycleBasis(graph).find(begin, end, [&](std::span<const Index> cycle) {
    cycles.emplace_back(cycle.begin(), cycle.end());
  });
  return cycles;
}

// circulant_graph(11, [1, 3]) has its edges added node by node; what NetworkX printed of it.
TEST(CycleBasis, TheOracleGivesWhatNetworkxPrinted) {
  Adjacency graph;
  const auto join = [&](Index a, Index b) {
    if (std::ranges::find(graph[a], b) == graph[a].end()) {
      graph[a].push_back(b);
      graph[b].push_back(a);
    }
  };
  for (Index i = 0; i < 11; ++i) {
    for (const Index step : {-1, 1, -3, 3}) join(i, (i + step + 11) % 11);
  }
  std::vector<std::size_t> lengths;
  std::vector<int> in_squares(11);
  for (const auto& cycle : networkx_cycle_basis(graph)) {
    lengths.push_back(cycle.size());
    for (const Index v : cycle) in_squares[static_cast<std::size_t>(v)] += cycle.size() == 4;
  }
  EXPECT_EQ(lengths, (std::vector<std::size_t>{5, 5, 5, 4, 5, 5, 4, 4, 5, 4, 4, 4}));
  EXPECT_EQ(in_squares, (std::vector<int>{3, 2, 3, 6, 3, 2, 3, 1, 0, 0, 1}));
}

// Every graph of a union, of all densities: the same cycles in the same order.
TEST(CycleBasis, FindsTheCyclesOfTheOracle) {
  std::vector<MadeGraph> graphs = {{0, {}, 0}, {1, {}, 0}, complete_graph(9), cycle_graph(6)};
  for (std::uint32_t k = 0; k < 60; ++k)
    graphs.push_back(random_graph(static_cast<Index>(3 + k), 0.02 + 0.008 * k, k));
  const Dataset set = made_set(graphs);
  std::size_t cycles = 0;
  for (Index g = 0; g < set.graphs->size(); ++g) {
    const Index begin = set.graphs->start[g], end = set.graphs->start[g + 1];
    Adjacency graph;
    for (Index v = begin; v < end; ++v) {
      const auto row = set.adjacency.row_columns(v);
      graph[v].assign(row.begin(), row.end());
    }
    const Cycles wanted = networkx_cycle_basis(graph);
    ASSERT_EQ(found(set.adjacency, begin, end), wanted) << "graph " << g;
    cycles += wanted.size();
  }
  EXPECT_GT(cycles, 10'000u);
}

// Each cycle is one: its neighbours are joined and no node comes twice; and there are m - n + c.
TEST(CycleBasis, ItsCyclesAreCyclesAndAsManyAsTheyMustBe) {
  const Dataset set = made_set({random_graph(80, 0.07, 1), random_graph(50, 0.03, 2)});
  const Components components = connected_components(set.adjacency);
  std::int64_t cycles = 0;
  for (Index g = 0; g < 2; ++g) {
    for (const auto& cycle : found(set.adjacency, set.graphs->start[g], set.graphs->start[g + 1])) {
      ++cycles;
      EXPECT_EQ(std::set<Index>(cycle.begin(), cycle.end()).size(), cycle.size());
      for (std::size_t k = 0; k < cycle.size(); ++k) {
        const auto row = set.adjacency.row_columns(cycle[k]);
        EXPECT_TRUE(std::ranges::binary_search(row, cycle[(k + 1) % cycle.size()]));
      }
    }
  }
  EXPECT_EQ(cycles, set.adjacency.entries() / 2 - set.nodes() +
                        static_cast<std::int64_t>(components.sizes.size()));
}

TEST(CycleBasis, CountsByLengthDoNotDependOnThreads) {
  std::vector<MadeGraph> graphs;
  for (std::uint32_t k = 0; k < 100; ++k) graphs.push_back(random_graph(20, 0.2, k));
  const Dataset set = made_set(graphs);
  const std::vector<Index> lengths = {3, 4, 5};
  const auto one = basis_cycles(set.adjacency, set.graphs->start, lengths, {1});
  EXPECT_EQ(one, basis_cycles(set.adjacency, set.graphs->start, lengths, {3}));
  // Those that are asked for, in their order, and no others.
  const std::vector<Index> some = {10'000, 5, 3, 5};
  const std::vector<std::int64_t> none(100, 0);
  EXPECT_EQ(basis_cycles(set.adjacency, set.graphs->start, some, {2}),
            (std::vector{none, one[2], one[0], one[2]}));
  for (Index g = 0; g < 100; ++g) {
    std::vector<std::int64_t> counts(3);
    for (const auto& cycle : found(set.adjacency, 20 * g, 20 * g + 20)) {
      if (cycle.size() <= 5) ++counts[cycle.size() - 3];
    }
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(one[k][static_cast<std::size_t>(g)], counts[k]) << g;
  }
}

}  // namespace
}  // namespace cupel::test
