// Equal graphs: against all permutations of small graphs, and on graphs that refining colours does
// not tell apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "cupel/data/audit/equal_graphs.h"
#include "cupel/data/catalog/catalog.h"
#include "data/made_graph_sets.h"

namespace cupel {
namespace {

using test::cycle_graph;
using test::made_set;
using test::MadeGraph;
using test::random_graph;

// Labels and attributes of two values each, the arcs of an edge with different ones.
void decorate(Dataset& data, std::uint32_t seed) {
  Stream stream(stream_key("tests/decorate"), 1, 0, seed);
  Csr labels;
  labels.rows = data.nodes();
  labels.cols = 2;
  data.graphs->node_attributes = Matrix(data.nodes(), 1);
  for (Index i = 0; i < data.nodes(); ++i) {
    labels.columns.push_back(stream.next_unit() < 0.3);
    labels.row_ptr.push_back(i + 1);
    data.graphs->node_attributes(i, 0) = stream.next_unit() < 0.3 ? 0.5f : 0.0f;
  }
  data.features = std::move(labels);
  data.graphs->arc_attributes = Matrix(static_cast<Index>(data.adjacency.entries()), 1);
  for (float& v : data.graphs->arc_attributes.values) v = stream.next_unit() < 0.2 ? -1.0f : 2.0f;
}

float arc(const Dataset& data, Index i, Index j, bool with_attributes) {
  const auto row = data.adjacency.row_columns(i);
  const auto at = std::lower_bound(row.begin(), row.end(), j);
  if (at == row.end() || *at != j) return 0;
  const auto entry = static_cast<Index>(data.adjacency.row_ptr[i] + (at - row.begin()));
  return with_attributes ? data.graphs->arc_attributes(entry, 0) : 1;
}

bool isomorphic(const Dataset& data, Index a, Index b, GraphAspects aspects) {
  const auto& start = data.graphs->start;
  const Index n = start[a + 1] - start[a];
  if (n != start[b + 1] - start[b]) return false;
  const auto& labels = std::get<Csr>(data.features).columns;
  std::vector<Index> to(static_cast<std::size_t>(n));
  std::iota(to.begin(), to.end(), 0);
  do {
    bool same = true;
    for (Index i = 0; same && i < n; ++i) {
      const Index v = start[a] + i, w = start[b] + to[static_cast<std::size_t>(i)];
      if (aspects.node_labels)
        same = labels[static_cast<std::size_t>(v)] == labels[static_cast<std::size_t>(w)];
      if (aspects.node_attributes)
        same = same && data.graphs->node_attributes(v, 0) == data.graphs->node_attributes(w, 0);
      for (Index j = 0; same && j < n; ++j)
        same = arc(data, v, start[a] + j, aspects.arc_attributes) ==
               arc(data, w, start[b] + to[static_cast<std::size_t>(j)], aspects.arc_attributes);
    }
    if (same) return true;
  } while (std::next_permutation(to.begin(), to.end()));
  return false;
}

Groups by_permutations(const Dataset& data, GraphAspects aspects) {
  Groups groups;
  for (Index g = 0; g < data.graphs->size(); ++g) {
    if (data.graphs->start[g] == data.graphs->start[g + 1]) continue;
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return isomorphic(data, group.front(), g, aspects);
    });
    if (found == groups.end())
      groups.push_back({g});
    else
      found->push_back(g);
  }
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

TEST(EqualGraphs, AreThoseThatSomePermutationMapsOntoOneAnother) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    std::vector<MadeGraph> graphs;
    for (std::uint32_t g = 0; g < 60; ++g)
      graphs.push_back(
          random_graph(static_cast<Index>(g % 6), seed % 2 ? 0.7 : 0.35, 100 * seed + g));
    Dataset data = made_set(graphs);
    decorate(data, seed);
    for (int aspects = 0; aspects < 8; ++aspects) {
      const GraphAspects which{(aspects & 1) != 0, (aspects & 2) != 0, (aspects & 4) != 0};
      const EqualGraphs found = equal_graphs(data, which);
      const Groups expected = by_permutations(data, which);
      EXPECT_EQ(found.groups, expected) << "seed " << seed << ", aspects " << aspects;
      EXPECT_FALSE(expected.empty());
      EXPECT_EQ(found.undecided, 0);
    }
  }
}

// The same graph with nodes in another order.
MadeGraph shuffled(const MadeGraph& graph, std::uint32_t seed) {
  Stream stream(stream_key("tests/shuffled"), 1, 0, seed);
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < graph.nodes; ++i) order.emplace_back(stream.next_unit(), i);
  std::sort(order.begin(), order.end());
  MadeGraph out{graph.nodes, {}, graph.label};
  for (const auto& [a, b] : graph.edges)
    out.edges.emplace_back(order[static_cast<std::size_t>(a)].second,
                           order[static_cast<std::size_t>(b)].second);
  return out;
}

// Graphs on 4 x 4 places: joined in a row or column (rook), or by one of six shifts (Shrikhande).
// Both are strongly regular with the same numbers, and not isomorphic.
MadeGraph rook() {
  MadeGraph out{16, {}, 0};
  for (Index a = 0; a < 16; ++a) {
    for (Index b = a + 1; b < 16; ++b) {
      if (a / 4 == b / 4 || a % 4 == b % 4) out.edges.emplace_back(a, b);
    }
  }
  return out;
}
MadeGraph shrikhande() {
  MadeGraph out{16, {}, 0};
  for (Index a = 0; a < 16; ++a) {
    for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}})
      out.edges.emplace_back(a, (a / 4 + dx) % 4 * 4 + (a % 4 + dy) % 4);
  }
  return out;
}
MadeGraph together(const std::vector<MadeGraph>& parts) {
  MadeGraph out;
  for (const MadeGraph& part : parts) {
    for (const auto& [a, b] : part.edges) out.edges.emplace_back(out.nodes + a, out.nodes + b);
    out.nodes += part.nodes;
  }
  return out;
}

TEST(EqualGraphs, RegularGraphsAreToldApart) {
  const MadeGraph triangles = together({cycle_graph(3), cycle_graph(3)});
  const MadeGraph mixed = together({rook(), shrikhande(), rook()});
  const MadeGraph other = together({shrikhande(), rook(), shrikhande()});
  const Dataset data = made_set({cycle_graph(6), triangles, rook(), shrikhande(),
                                 shuffled(shrikhande(), 1), shuffled(cycle_graph(6), 2),
                                 shuffled(rook(), 3), mixed, other, shuffled(mixed, 4)});
  const EqualGraphs found = equal_graphs(data);
  EXPECT_EQ(found.groups, (Groups{{0, 5}, {2, 6}, {3, 4}, {7, 9}}));
  EXPECT_EQ(found.undecided, 0);
}

TEST(EqualGraphs, OneEdgeMoreOrLessDecides) {
  std::vector<MadeGraph> graphs;
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    graphs.push_back(random_graph(60, 0.05, seed));
    graphs.push_back(shuffled(graphs.back(), seed));
    graphs.push_back(shuffled(graphs.back(), seed + 50));
    graphs.back().edges.pop_back();
  }
  Groups expected;
  for (Index g = 0; g < 30; g += 3) expected.push_back({g, g + 1});
  EXPECT_EQ(equal_graphs(made_set(graphs)).groups, expected);
}

TEST(EqualGraphs, WhatIsGivenUpIsCountedAndTakenForDifferent) {
  const Dataset data = made_set({rook(), shuffled(rook(), 1), cycle_graph(3), cycle_graph(3)});
  const EqualGraphs found = equal_graphs(data, {}, {.comparison = 50, .all = 1000000});
  EXPECT_EQ(found.groups, (Groups{{2, 3}}));
  EXPECT_EQ(found.undecided, 1);
  const EqualGraphs none = equal_graphs(data, {}, {.comparison = 1000000, .all = 0});
  EXPECT_TRUE(none.groups.empty());
  EXPECT_EQ(none.undecided, 2);
}

// NetworkX (vf2pp_is_isomorphic within equal Weisfeiler-Lehman hashes) counts the same groups and
// graphs.
TEST(EqualGraphs, OfReleasedSets) {
  const char* folder = std::getenv("CUPEL_DATA");
  if (folder == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  struct Known {
    const char* name;
    GraphAspects aspects;
    std::size_t groups, graphs;
  };
  for (const auto& [name, aspects, groups, graphs] :
       {Known{"mutag", {false, false, false}, 30, 79}, Known{"mutag", {true, false, false}, 11, 24},
        Known{"imdb-binary", {}, 116, 579}}) {
    const EqualGraphs found = equal_graphs(load_dataset(name, folder), aspects);
    std::size_t in_groups = 0;
    for (const auto& group : found.groups) in_groups += group.size();
    EXPECT_EQ(found.groups.size(), groups) << name;
    EXPECT_EQ(in_groups, graphs) << name;
  }
}

}  // namespace
}  // namespace cupel
