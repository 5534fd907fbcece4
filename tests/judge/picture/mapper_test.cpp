#include "cupel/judge/picture/mapper.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "cupel/base/random.h"
#include "cupel/data/graph/graph.h"
#include "error_of.h"

namespace cupel {
namespace {

// A graph and a lens that Python can make too.
constexpr int kNodes = 400;
int a_of(int i) { return (i * 37) % 101; }
int b_of(int i) { return (i * i * 13 + 5 * i) % 97; }

Matrix made_lens() {
  Matrix out(kNodes, 2);
  for (int i = 0; i < kNodes; ++i) {
    out(i, 0) = static_cast<float>(a_of(i));
    out(i, 1) = static_cast<float>(b_of(i));
  }
  return out;
}

// One direction of each edge, a loop or two.
Csr made_graph() {
  std::vector<Edge> edges;
  for (int i = 0; i < kNodes; ++i) {
    if (i % 5 == 0) edges.push_back({i, (i * 7 + 3) % kNodes});
    for (int j = 0; j < i; ++j) {
      const int x = a_of(i) - a_of(j), y = b_of(i) - b_of(j);
      if (x * x + y * y < 60) edges.push_back({i, j});
    }
  }
  return from_edges(kNodes, edges);
}

// What networkx 3.6 and NumPy give for the same graph and lens by the published recipe: cells as
// masks over all nodes, nx.connected_components of g.subgraph(mask) for each (sorted by smallest
// node), a dictionary of pairs counted edge by edge (node by node where nodes are shared), and
// nx.connected_components of the graph of pairs that reach epsilon.
struct Expected {
  MapperSettings settings;
  std::size_t clusters, members;
  std::int64_t checksum;  // sum of (cluster + 1) * node
  Offset largest;
  std::size_t pairs, edges;
  int components;
  std::size_t drawn;
  double weights, colours;  // sums; of the latter (cluster + 1) * x + y
};

TEST(Mapper, AgreesWithNetworkx) {
  constexpr auto kArcs = MapperEdges::kSharedArcs, kShared = MapperEdges::kSharedNodes;
  const std::vector<Expected> all = {
      {{5, 0, kArcs, 0.2, 20}, 29, 400, 1221466, 40, 113, 20, 11, 24, 9.274999998, 293.203627087},
      {{8, 0.5, kArcs, 0.1, 8},
       86,
       1258,
       11675302,
       225,
       996,
       165,
       20,
       68,
       51.284444442,
       2350.515160079},
      {{4, 1, kArcs, 0.3, 0}, 20, 1985, 4674645, 1088, 146, 57, 5, 20, 31.693933823, 128.490751984},
      {{6, 0.4, kShared, 0.9, 12},
       49,
       981,
       5134826,
       21,
       122,
       122,
       2,
       47,
       45.809523788,
       787.279718312},
      {{1, 0, kArcs, 0.05, 8}, 1, 400, 79800, 0, 0, 0, 1, 1, 0.000000000, 0.979594782},
  };
  for (const Expected& expected : all) {
    SCOPED_TRACE(expected.settings.intervals);
    const MapperGraph found =
        mapper_graph(made_graph(), normalised_lens(made_lens()), expected.settings);
    ASSERT_EQ(found.clusters.size(), expected.clusters);
    std::size_t members = 0, drawn = 0;
    std::int64_t checksum = 0;
    double colours = 0, weights = 0;
    std::set<int> components;
    for (std::size_t c = 0; c < found.clusters.size(); ++c) {
      const Cluster& cluster = found.clusters[c];
      members += cluster.nodes.size();
      drawn += cluster.drawn;
      components.insert(cluster.component);
      for (const Index v : cluster.nodes) checksum += static_cast<std::int64_t>(c + 1) * v;
      colours += static_cast<double>(c + 1) * cluster.cell_mean[0] + cluster.cell_mean[1];
    }
    for (const ClusterEdge& edge : found.edges) weights += edge.weight;
    EXPECT_EQ(members, expected.members);
    EXPECT_EQ(checksum, expected.checksum);
    EXPECT_EQ(found.largest_count, expected.largest);
    EXPECT_EQ(found.edges.size() + static_cast<std::size_t>(found.pairs_left_out), expected.pairs);
    EXPECT_EQ(found.edges.size(), expected.edges);
    EXPECT_EQ(std::ssize(components), expected.components);
    EXPECT_EQ(drawn, expected.drawn);
    EXPECT_NEAR(weights, expected.weights, 1e-8);
    EXPECT_NEAR(colours, expected.colours, 1e-8);
  }
}

// ---- a slow reading of the definition ----------------------------------------------------------

struct Slow {
  std::vector<std::set<Index>> clusters;
  std::map<std::pair<std::size_t, std::size_t>, Offset> counts;
};

// Cells by their inequality, components by spreading the smallest number until nothing changes,
// counts over all pairs of clusters.
Slow slow_mapper(const Csr& graph, const std::vector<LensPoint>& lens, int n, double overlap,
                 MapperEdges kind) {
  std::set<std::pair<Index, Index>> edges;
  for (Index v = 0; v < graph.rows; ++v)
    for (const Index w : graph.row_columns(v))
      if (v != w) edges.insert({std::min(v, w), std::max(v, w)});
  const double grow = overlap / (n + 1);
  const auto in = [&](int i, double value) {
    return double(i) / n - grow <= value && value <= double(i + 1) / n + grow;
  };
  Slow out;
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y < n; ++y) {
      std::map<Index, Index> label;
      for (std::size_t v = 0; v < lens.size(); ++v)
        if (in(x, lens[v][0]) && in(y, lens[v][1])) label[Index(v)] = Index(v);
      for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [v, w] : edges) {
          if (!label.contains(v) || !label.contains(w) || label[v] == label[w]) continue;
          label[v] = label[w] = std::min(label[v], label[w]);
          changed = true;
        }
      }
      std::map<Index, std::set<Index>> pieces;
      for (const auto& [v, piece] : label) pieces[piece].insert(v);
      for (auto& [first, piece] : pieces) out.clusters.push_back(piece);
    }
  }
  for (std::size_t i = 0; i < out.clusters.size(); ++i) {
    for (std::size_t j = i + 1; j < out.clusters.size(); ++j) {
      const auto &a = out.clusters[i], &b = out.clusters[j];
      Offset count = 0;
      if (kind == MapperEdges::kSharedNodes) {
        for (const Index v : a) count += b.contains(v);
      } else {
        for (const auto& [v, w] : edges)
          count += (a.contains(v) && b.contains(w)) + (a.contains(w) && b.contains(v));
      }
      if (count > 0) out.counts[{i, j}] = count;
    }
  }
  return out;
}

// Lens values on a grid of halves of intervals, so that borders are hit.
std::vector<LensPoint> bordered_lens(Index nodes, int intervals, Stream& stream) {
  std::vector<LensPoint> out(static_cast<std::size_t>(nodes));
  const auto steps = static_cast<std::uint32_t>(2 * intervals);
  for (LensPoint& point : out)
    for (double& value : point) value = double(stream.next_below(steps + 1)) / steps;
  return out;
}

Csr random_graph(Index nodes, int edges, Stream& stream) {
  std::vector<Edge> out;
  for (int e = 0; e < edges; ++e)
    out.push_back({Index(stream.next_below(std::uint32_t(nodes))),
                   Index(stream.next_below(std::uint32_t(nodes)))});
  return from_edges(nodes, out);
}

TEST(Mapper, AgreesWithASlowReadingOnManyGraphs) {
  for (std::uint32_t trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    Stream stream(stream_key("mapper test"), 1, trial);
    const Index nodes = 1 + Index(stream.next_below(40));
    const int n = 1 + int(stream.next_below(5));
    const double overlap = trial % 3 == 0 ? 0 : stream.next_unit();
    const auto kind = trial % 2 == 0 ? MapperEdges::kSharedArcs : MapperEdges::kSharedNodes;
    const Csr graph = random_graph(nodes, int(stream.next_below(120)), stream);
    const auto lens = bordered_lens(nodes, n, stream);
    const MapperGraph found = mapper_graph(graph, lens, {n, overlap, kind, 0, 0});
    const Slow slow = slow_mapper(graph, lens, n, overlap, kind);
    ASSERT_EQ(found.clusters.size(), slow.clusters.size());
    for (std::size_t c = 0; c < slow.clusters.size(); ++c)
      ASSERT_EQ(std::set<Index>(found.clusters[c].nodes.begin(), found.clusters[c].nodes.end()),
                slow.clusters[c])
          << c;
    ASSERT_EQ(found.edges.size(), slow.counts.size());
    Offset largest = 0;
    for (const auto& [pair, count] : slow.counts) largest = std::max(largest, count);
    for (const ClusterEdge& edge : found.edges) {
      const auto wanted = slow.counts.find({std::size_t(edge.source), std::size_t(edge.target)});
      ASSERT_NE(wanted, slow.counts.end());
      EXPECT_EQ(edge.count, wanted->second);
      EXPECT_DOUBLE_EQ(edge.weight, double(edge.count) / (double(largest) + 1e-8));
    }
  }
}

// ---- cover -------------------------------------------------------------------------------------

TEST(Mapper, WithoutOverlapOnlyBordersAreInTwo) {
  for (const int n : {1, 3, 7, 10, 20, 49, 1000}) {
    for (int i = 0; i <= n; ++i) {
      for (const double shift : {-1e-12, 0.0, 1e-12}) {
        const double value = static_cast<double>(i) / n + shift;
        if (value < 0 || value > 1) continue;
        const MapperGraph found = mapper_graph(from_edges(1, {}), {{value, 0.0}}, {n});
        const bool border = shift == 0 && i > 0 && i < n;
        EXPECT_EQ(found.clusters.size(), border ? 2u : 1u) << value << " of " << n;
      }
    }
  }
}

TEST(Mapper, ANodeIsInAtMostThreeByThreeCells) {
  for (const int n : {2, 3, 20}) {
    std::size_t most = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double value = i / 1000.0;
      most =
          std::max(most, mapper_graph(from_edges(1, {}), {{value, value}}, {n, 1}).clusters.size());
    }
    EXPECT_LE(most, 9u);
    EXPECT_GT(most, 3u) << "an overlap puts nodes in several cells";
  }
}

TEST(Mapper, TheLensIsBroughtToTheUnitSquare) {
  Matrix lens(3, 2);
  lens.values = {-2, 7, 0, 7, 2, 7};
  const auto found = normalised_lens(lens);
  EXPECT_DOUBLE_EQ(found[0][0], 0);
  EXPECT_DOUBLE_EQ(found[1][0], 2 / (4 + 1e-6));
  EXPECT_DOUBLE_EQ(found[2][0], 4 / (4 + 1e-6));
  EXPECT_LT(found[2][0], 1);
  for (const LensPoint& point : found) EXPECT_EQ(point[1], 0) << "a constant axis is one interval";
  lens.values[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error_of([&] { (void)normalised_lens(lens); }).find("node 1"), std::string::npos);
}

// ---- what is left out --------------------------------------------------------------------------

// Cells of a row: {0, 1, 2}, {3, 4}, {5}; 0-3, 1-3, 2-4 join the first two, 4-5 the others.
MapperGraph three_cells(double epsilon, Index smallest) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {3, 4}, {0, 3}, {3, 1}, {1, 3}, {2, 4}, {4, 5}};
  const std::vector<LensPoint> lens = {{.1, 0}, {.1, 0}, {.1, 0}, {.5, 0}, {.5, 0}, {.9, 0}};
  return mapper_graph(from_edges(6, edges), lens,
                      {3, 0, MapperEdges::kSharedArcs, epsilon, smallest});
}

TEST(Mapper, EdgesBelowEpsilonGoAndThenSmallComponents) {
  const MapperGraph all = three_cells(1.0 / 3 - 1e-6, 6);
  ASSERT_EQ(all.edges.size(), 2u);
  EXPECT_EQ(all.largest_count, 3) << "an arc in both directions is one edge";
  EXPECT_EQ(all.edges[1].count, 1);
  for (const Cluster& cluster : all.clusters) EXPECT_TRUE(cluster.drawn);

  const MapperGraph fewer = three_cells(.4, 2);
  ASSERT_EQ(fewer.edges.size(), 1u);
  EXPECT_EQ(fewer.pairs_left_out, 1);
  EXPECT_TRUE(fewer.clusters[0].drawn && fewer.clusters[1].drawn);
  EXPECT_FALSE(fewer.clusters[2].drawn);
  for (const Cluster& cluster : three_cells(.4, 6).clusters) EXPECT_FALSE(cluster.drawn);
  for (const Cluster& cluster : three_cells(.4, 0).clusters) EXPECT_TRUE(cluster.drawn);
}

TEST(Mapper, AnExplicitZeroIsNoEdgeAndParallelArcsAreOne) {
  Csr graph;
  graph.rows = graph.cols = 3;
  graph.row_ptr = {0, 2, 3, 3};
  graph.columns = {1, 1, 2};  // a multigraph's row
  graph.values = {1, 1, 0};
  const MapperGraph found = mapper_graph(graph, {{.1, 0}, {.9, 0}, {.9, 0}}, {2});
  ASSERT_EQ(found.clusters.size(), 3u);
  ASSERT_EQ(found.edges.size(), 1u);
  EXPECT_EQ(found.edges[0].count, 1);
}

TEST(Mapper, MisuseIsABug) {
  const Csr graph = from_edges(2, {});
  EXPECT_THROW((void)mapper_graph(graph, {{0, 0}}, {}), std::logic_error);
  EXPECT_THROW((void)mapper_graph(graph, {{0, 0}, {0, 2}}, {}), std::logic_error);
  EXPECT_THROW((void)mapper_graph(graph, {{0, 0}, {0, NAN}}, {}), std::logic_error);
  EXPECT_THROW((void)mapper_graph(graph, {{0, 0}, {0, 1}}, {0}), std::logic_error);
  EXPECT_THROW((void)mapper_graph(graph, {{0, 0}, {0, 1}}, {5, 1.5}), std::logic_error);
  EXPECT_THROW((void)normalised_lens(Matrix(2, 3)), std::logic_error);
}

}  // namespace
}  // namespace cupel
