#include "cupel/data/build/core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "cupel/data/graph/graph.h"

namespace cupel {
namespace {

using Neighbours = std::vector<std::set<Index>>;

Csr to_csr(const Neighbours& graph) {
  std::vector<Edge> arcs;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (const Index j : graph[i]) arcs.push_back({static_cast<Index>(i), j});
  }
  return from_edges(static_cast<Index>(graph.size()), arcs);
}

// Removes one node after another, from the start each time.
std::vector<Index> slow_core(Neighbours graph, std::size_t k) {
  std::set<Index> left;
  for (std::size_t i = 0; i < graph.size(); ++i) left.insert(static_cast<Index>(i));
  for (bool again = true; again;) {
    again = false;
    for (const Index i : left) {
      auto& mine = graph[static_cast<std::size_t>(i)];
      if (mine.size() >= k) continue;
      for (const Index j : mine) graph[static_cast<std::size_t>(j)].erase(i);
      mine.clear();
      left.erase(i);
      again = true;
      break;
    }
  }
  return {left.begin(), left.end()};
}

// Repeated relaxation of the smallest reachable node.
std::vector<Index> slow_largest_component(const Neighbours& graph) {
  std::vector<Index> name;
  for (std::size_t i = 0; i < graph.size(); ++i) name.push_back(static_cast<Index>(i));
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      for (const Index j : graph[i]) {
        Index& other = name[static_cast<std::size_t>(j)];
        if (name[i] < other) {
          other = name[i];
          again = true;
        }
      }
    }
  }
  Index best = 0;
  for (const Index candidate : name) {
    const auto size = std::ranges::count(name, candidate), most = std::ranges::count(name, best);
    if (size > most || (size == most && candidate < best)) best = candidate;
  }
  std::vector<Index> out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == best) out.push_back(static_cast<Index>(i));
  }
  return out;
}

TEST(Core, EqualsTheSlowOne) {
  std::mt19937 random(3);
  std::set<std::size_t> sizes;
  for (int round = 0; round < 150; ++round) {
    const auto nodes = static_cast<Index>(1 + random() % 60);
    const auto edges = random() % (3u * static_cast<unsigned>(nodes));
    Neighbours graph(static_cast<std::size_t>(nodes));
    for (unsigned e = 0; e < edges; ++e) {
      const auto a = static_cast<Index>(random() % static_cast<unsigned>(nodes));
      const auto b = static_cast<Index>(random() % static_cast<unsigned>(nodes));
      if (a == b) continue;
      graph[static_cast<std::size_t>(a)].insert(b);
      graph[static_cast<std::size_t>(b)].insert(a);
    }
    const Csr csr = to_csr(graph);
    for (const Index k : {0, 1, 2, 3, 4, 5}) {
      const std::vector<Index> core = k_core(csr, k);
      ASSERT_EQ(core, slow_core(graph, static_cast<std::size_t>(k))) << round << " " << k;
      if (k == 3) sizes.insert(core.size());
    }
    ASSERT_EQ(largest_component(csr), slow_largest_component(graph)) << round;
  }
  EXPECT_GT(sizes.size(), 10u);  // the cases are not all empty or all whole
}

// A path falls apart from its ends only, one node at a time: a slow method is felt here.
TEST(Core, LongPathsAreLinear) {
  std::vector<Edge> arcs;
  constexpr Index kNodes = 300'000;
  for (Index i = 0; i + 1 < kNodes; ++i) {
    arcs.push_back({i, i + 1});
    arcs.push_back({i + 1, i});
  }
  const Csr path = from_edges(kNodes, arcs);
  EXPECT_TRUE(k_core(path, 2).empty());
  EXPECT_EQ(k_core(path, 1).size(), static_cast<std::size_t>(kNodes));
  EXPECT_EQ(largest_component(path).size(), static_cast<std::size_t>(kNodes));
}

}  // namespace
}  // namespace cupel
