// Statistics against their definitions done the slow way.
#include "cupel/data/stats/statistics.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <thread>

#include "cupel/base/random.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/stats/distances.h"
#include "data/stats/oracle.h"

namespace cupel {
namespace {

using Number = std::optional<double>;

// Directed arcs, loops and repeats included; some nodes may stay alone.
Dataset made(Index nodes, const std::vector<Edge>& edges, std::vector<Index> labels = {}) {
  Dataset out;
  out.adjacency = from_edges(nodes, edges);
  out.features = Matrix(nodes, 0);
  const Index classes = labels.empty() ? 0 : 1 + *std::ranges::max_element(labels);
  for (Index k = 0; k < classes; ++k) out.class_names().push_back(std::to_string(k));
  out.labels() = std::move(labels);
  return out;
}

// `local`: nodes are joined to near ones, so that paths are long; else some are hubs.
Dataset random_dataset(Index nodes, int edges, Index classes, std::uint32_t seed, bool local) {
  Stream random({seed, 3}, 1);
  std::vector<Edge> list;
  for (int e = 0; e < edges; ++e) {
    const auto u = static_cast<Index>(random.next_below(nodes));
    const double r = random.next_unit();
    const Index v = local ? std::min<Index>(nodes - 1, u + static_cast<Index>(random.next_below(4)))
                          : static_cast<Index>(r * r * r * nodes);
    list.push_back({u, v});
    if (random.next_below(4) == 0) list.push_back({v, u});
  }
  std::vector<Index> labels(nodes);
  for (Index v = 0; v < nodes; ++v)
    labels[v] = v < classes ? v : static_cast<Index>(random.next_below(classes));
  return made(nodes, list, std::move(labels));
}

void expect_near(const Number& found, const Number& wanted, const char* what) {
  ASSERT_EQ(found.has_value(), wanted.has_value()) << what;
  if (wanted) {
    EXPECT_NEAR(*found, *wanted, 1e-12) << what;
  }
}

void expect_as_defined(const Dataset& dataset, const Statistics& s) {
  const oracle::Flags joined = oracle::simple(dataset.adjacency);
  const auto n = static_cast<Index>(joined.size());
  std::vector<Index> degrees;
  for (Index v = 0; v < n; ++v) degrees.push_back(oracle::degree(joined, v));
  std::ranges::sort(degrees);
  const Offset ends = std::accumulate(degrees.begin(), degrees.end(), Offset{0});
  EXPECT_EQ(s.nodes, n);
  EXPECT_EQ(s.edges, ends / 2);
  EXPECT_EQ(s.edges, count_undirected_edges(dataset.adjacency));
  EXPECT_EQ(s.arcs, dataset.adjacency.entries());
  EXPECT_EQ(s.self_loops, count_self_loops(dataset.adjacency));
  EXPECT_EQ(s.reciprocal, s.arcs - s.self_loops - s.edges);
  EXPECT_EQ(s.isolated_nodes, std::ranges::count(degrees, 0));
  if (n > 0) {
    EXPECT_EQ(s.degree.min, degrees.front());
    EXPECT_EQ(s.degree.max, degrees.back());
    EXPECT_DOUBLE_EQ(s.degree.mean, static_cast<double>(ends) / n);
    EXPECT_DOUBLE_EQ(s.degree.median, (degrees[(n - 1) / 2] + degrees[n / 2]) / 2.0);
  }
  const oracle::Clustering wanted = oracle::clustering(joined);
  expect_near(s.global_clustering, wanted.global, "global clustering");
  expect_near(s.local_clustering, wanted.local, "local clustering");

  const auto d = oracle::distances(joined);
  Index components = 0;
  const std::vector<Index> inside = oracle::largest_component(d, &components);
  EXPECT_EQ(s.components, components);
  EXPECT_EQ(s.largest_component, std::ssize(inside));
  Index longest = 0;
  double sum = 0;
  for (const Index v : inside) {
    for (const Index w : inside) longest = std::max(longest, d[v][w]), sum += d[v][w];
  }
  if (!inside.empty()) {
    ASSERT_TRUE(s.diameter && s.diameter->exact());
    EXPECT_EQ(s.diameter->lower, longest);
  }
  const double pairs = static_cast<double>(inside.size()) * (std::ssize(inside) - 1.0);
  ASSERT_EQ(s.average_path.has_value(), pairs > 0);
  if (pairs > 0) {
    EXPECT_TRUE(s.average_path->exact);
    EXPECT_NEAR(s.average_path->value, sum / pairs, 1e-12);
  }

  const oracle::Labels labels = oracle::labels(joined, dataset.labels(), dataset.classes());
  ASSERT_TRUE(s.labels);
  expect_near(s.labels->edge_homophily, labels.edge, "edge homophily");
  expect_near(s.labels->node_homophily, labels.node, "node homophily");
  expect_near(s.labels->class_homophily, labels.by_class, "class homophily");
  expect_near(s.labels->adjusted_homophily, labels.adjusted, "adjusted homophily");
  expect_near(s.labels->label_informativeness, labels.informativeness, "informativeness");
}

// Everything but the times.
auto fields(const Statistics& s) {
  const LabelStatistics l = s.labels.value_or(LabelStatistics{});
  const Diameter d = s.diameter.value_or(Diameter{});
  const AveragePath p = s.average_path.value_or(AveragePath{});
  return std::tuple(
      std::tuple(s.nodes, s.edges, s.arcs, s.self_loops, s.reciprocal, s.isolated_nodes,
                 s.components, s.largest_component, s.triangles, s.global_clustering,
                 s.local_clustering, s.feature_density, s.degree.p99),
      std::tuple(d.lower, d.upper, p.value, p.low, p.high, p.exact, p.sources),
      std::tuple(l.class_sizes, l.edge_homophily, l.node_homophily, l.class_homophily,
                 l.adjusted_homophily, l.label_informativeness, l.same_class_share,
                 l.none_of_same_class, l.all_of_same_class));
}

StatisticsOptions with(int threads, double seconds = 1e6) { return {{threads}, seconds, 0}; }

TEST(Statistics, AreAsDefinedOnRandomGraphs) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Index nodes = 5 + static_cast<Index>(seed) * 2;
    const int edges = static_cast<int>(seed % 7 + 1) * nodes / 2;
    const Dataset dataset = random_dataset(nodes, edges, 1 + seed % 5, seed, seed % 3 == 0);
    expect_as_defined(dataset, statistics(dataset, with(1 + static_cast<int>(seed % 2))));
  }
}

// Long paths, so that searches go in both directions and sources are batched 64 at a time.
TEST(Statistics, AreAsDefinedOnLongGraphs) {
  std::vector<Edge> edges;
  const Index nodes = 400;
  for (Index v = 1; v < nodes; ++v) edges.push_back({v, v - 1});
  for (Index v = 3; v < nodes; v += 5) edges.push_back({v - 3, v});
  std::vector<Index> labels(nodes);
  for (Index v = 0; v < nodes; ++v) labels[v] = v / 100;
  const Dataset dataset = made(nodes, edges, labels);
  for (const int threads : {1, 3}) expect_as_defined(dataset, statistics(dataset, with(threads)));
}

TEST(Statistics, DoNotDependOnTheThreads) {
  // Large enough that every loop is divided; long paths in one, hubs in the other.
  for (const bool local : {false, true}) {
    const Dataset dataset =
        random_dataset(local ? 3000 : 20000, local ? 9000 : 150000, 6, 5, local);
    const Statistics one = statistics(dataset, with(1, 2000));
    EXPECT_TRUE(one.average_path->exact);
    for (const int threads : {2, 5})
      EXPECT_EQ(fields(statistics(dataset, with(threads, 2000))), fields(one)) << threads;
  }
}

TEST(Statistics, DependOnTheGraphAndNotOnItsNumbering) {
  const Dataset dataset = random_dataset(300, 900, 3, 8, false);
  std::vector<Index> place(300);
  std::iota(place.begin(), place.end(), 0);
  Stream random({1, 1}, 1);
  for (std::size_t k = place.size(); k > 1; --k)
    std::swap(place[k - 1], place[random.next_below(static_cast<std::uint32_t>(k))]);
  std::vector<Edge> edges;
  std::vector<Index> labels(300);
  for (Index i = 0; i < 300; ++i) {
    labels[place[i]] = dataset.labels()[i];
    for (const Index j : dataset.adjacency.row_columns(i)) edges.push_back({place[j], place[i]});
  }
  const Statistics a = statistics(dataset, with(2));
  const Statistics b = statistics(made(300, edges, labels), with(2));
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.diameter->lower, b.diameter->lower);
  EXPECT_EQ(a.average_path->value, b.average_path->value);
  EXPECT_EQ(a.labels->same_class_share, b.labels->same_class_share);
  EXPECT_NEAR(*a.labels->label_informativeness, *b.labels->label_informativeness, 1e-12);
}

// A clique of hubs with many common neighbours: the dense part of the triangle count.
TEST(Statistics, TrianglesOfDenseCores) {
  Stream random({9, 9}, 1);
  const Index nodes = 700;
  std::vector<Edge> edges;
  for (Index u = 0; u < nodes; ++u) {
    for (Index v = 0; v < u; ++v) {
      const bool core = u < 300;
      if (random.next_unit() < (core ? 0.6 : v < 300 ? 0.3 : 0.02)) edges.push_back({u, v});
    }
  }
  const Dataset dataset = made(nodes, edges, std::vector<Index>(nodes));
  const oracle::Clustering wanted = oracle::clustering(oracle::simple(dataset.adjacency));
  for (const int threads : {1, 2}) {
    const Statistics s = statistics(dataset, with(threads));
    expect_near(s.global_clustering, wanted.global, "global");
    expect_near(s.local_clustering, wanted.local, "local");
  }
}

TEST(Statistics, ShortTimeGivesBoundsThatHold) {
  // A ring: no search but the last ones rules anything out, and all are too many for no time.
  const Index nodes = 60001;
  std::vector<Edge> edges;
  for (Index v = 0; v < nodes; ++v) edges.push_back({v, (v + 1) % nodes});
  const Statistics s = statistics(made(nodes, edges), with(2, 1e-6));
  ASSERT_TRUE(s.diameter && s.average_path);
  EXPECT_LE(s.diameter->lower, 30000);
  EXPECT_GE(s.diameter->upper, 30000);
  EXPECT_FALSE(s.average_path->exact);
  EXPECT_LE(s.average_path->low, 15000.5);
  EXPECT_GE(s.average_path->high, 15000.5);
  EXPECT_LT(s.average_path->sources, nodes);
}

// A path of 50 nodes: its mean distance is 51 / 3. There is no time, and yet all are searched.
TEST(Statistics, ASampleOfAllIsNoEstimate) {
  std::vector<Edge> edges;
  for (Index v = 0; v + 1 < 50; ++v) edges.push_back({v, v + 1});
  const Statistics s = statistics(made(50, edges), with(1, 1e-9));
  EXPECT_TRUE(s.average_path->exact);
  EXPECT_EQ(s.average_path->value, 17);
  EXPECT_EQ(s.average_path->value, statistics(made(50, edges), with(1)).average_path->value);
  EXPECT_EQ(s.average_path->sources, 50);
  EXPECT_EQ(s.diameter->lower, 49);
  EXPECT_TRUE(s.diameter->exact());
}

// All sources are to be searched, and the time is up before the first is.
TEST(Statistics, TimeThatRunsOutLeavesAnEstimate) {
  const Dataset dataset = random_dataset(3000, 9000, 2, 4, false);
  const SimpleGraph graph(dataset.adjacency, {1});
  const ComponentSizes components = component_sizes(graph, {1});
  const Distances found = distances(graph, components, with(1, 0.5), [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
  });
  ASSERT_TRUE(found.average_path && found.average_path_reachable);
  EXPECT_EQ(found.average_path->sources, 512);
  EXPECT_FALSE(found.average_path->exact);
  const double truth = statistics(dataset, with(1)).average_path->value;
  EXPECT_LE(found.average_path->low, truth);
  EXPECT_GE(found.average_path->high, truth);
}

TEST(Statistics, SampledPathsCoverTheTruthAboutAsOftenAsTheySay) {
  const Dataset dataset = random_dataset(3000, 9000, 2, 4, false);
  const double truth = statistics(dataset, with(2)).average_path->value;
  int covered = 0;
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns; ++run) {
    const Statistics s = statistics(dataset, {{2}, 1e-9, static_cast<std::uint64_t>(run)});
    ASSERT_FALSE(s.average_path->exact);
    covered += s.average_path->low <= truth && truth <= s.average_path->high;
  }
  // 57 of 60 expected; fewer than 51 has a probability of 0.2 %.
  EXPECT_GE(covered, 51);
}

TEST(Statistics, UnusualDataHasDefinedValuesOrNone) {
  const Statistics one = statistics(made(1, {}, {0}), with(1));
  EXPECT_EQ(one.components, 1);
  EXPECT_EQ(one.diameter->upper, 0);
  EXPECT_FALSE(one.average_path);
  EXPECT_FALSE(one.global_clustering);
  EXPECT_EQ(one.local_clustering, 0.0);
  EXPECT_FALSE(one.labels->edge_homophily || one.labels->node_homophily ||
               one.labels->class_homophily || one.labels->adjusted_homophily ||
               one.labels->label_informativeness);
  EXPECT_FALSE(one.feature_density);

  const Statistics loop = statistics(made(3, {{1, 1}}, {0, 1, 1}), with(2));
  EXPECT_EQ(loop.edges, 0);
  EXPECT_EQ(loop.self_loops, 1);
  EXPECT_EQ(loop.components, 3);
  EXPECT_EQ(loop.isolated_nodes, 3);
  EXPECT_FALSE(loop.average_path);

  const Statistics alike = statistics(made(3, {{0, 1}, {1, 0}}, {0, 0, 0}), with(1));
  EXPECT_EQ(alike.reciprocal, 1);
  EXPECT_EQ(alike.labels->edge_homophily, 1.0);
  EXPECT_EQ(alike.labels->node_homophily, 1.0);
  EXPECT_FALSE(alike.labels->class_homophily || alike.labels->adjusted_homophily ||
               alike.labels->label_informativeness);
  EXPECT_EQ(alike.labels->all_of_same_class, 2);

  // Two classes, but only one has edges.
  const Statistics apart = statistics(made(3, {{0, 1}}, {0, 0, 1}), with(1));
  EXPECT_TRUE(apart.labels->class_homophily);
  EXPECT_FALSE(apart.labels->adjusted_homophily || apart.labels->label_informativeness);

  const Statistics bare = statistics(made(2, {{0, 1}}), with(1));
  EXPECT_FALSE(bare.labels);
  EXPECT_EQ(bare.classes, 0);
  EXPECT_EQ(bare.average_path->value, 1.0);

  const Statistics none = statistics(made(0, {}), with(1));
  EXPECT_EQ(none.components, 0);
  EXPECT_FALSE(none.diameter || none.local_clustering);
}

TEST(Statistics, TheDiameterIsThatOfTheLargestComponent) {
  // A long path of four nodes and a star of five.
  const Statistics s =
      statistics(made(9, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {4, 6}, {4, 7}, {8, 4}}), with(1));
  EXPECT_EQ(s.components, 2);
  EXPECT_EQ(s.largest_component, 5);
  EXPECT_EQ(s.diameter->lower, 2);
  EXPECT_DOUBLE_EQ(s.average_path->value, (4 * 1 + 6 * 2) / 10.0);
  // Equal sizes: the one with the first node.
  const Statistics equal = statistics(
      made(8, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {4, 6}}), with(1));
  EXPECT_EQ(equal.diameter->lower, 3);
}

TEST(Statistics, SharesFallIntoTheirBins) {
  // Node 0 has 10 neighbours, 3 of them of its class: 0.3, on the edge of a bin.
  std::vector<Edge> edges;
  std::vector<Index> labels = {0};
  for (Index v = 1; v <= 10; ++v) edges.push_back({0, v}), labels.push_back(v <= 3 ? 0 : 1);
  const Statistics s = statistics(made(11, edges, labels), with(1));
  EXPECT_EQ(s.labels->same_class_share, (std::vector<std::int64_t>{7, 0, 0, 1, 0, 0, 0, 0, 0, 3}));
  EXPECT_EQ(s.labels->none_of_same_class, 7);
  EXPECT_EQ(s.labels->all_of_same_class, 3);
}

TEST(Statistics, FeatureDensityCountsWhatIsNotZero) {
  Dataset dataset = made(2, {{0, 1}});
  Matrix dense(2, 3);
  dense(0, 1) = 2.0f;
  dense(1, 2) = -1.0f;
  dataset.features = dense;
  EXPECT_EQ(statistics(dataset, with(1)).feature_density, 2.0 / 6);
  Csr sparse;
  sparse.rows = 2;
  sparse.cols = 4;
  sparse.row_ptr = {0, 1, 3};
  sparse.columns = {2, 0, 1};
  dataset.features = sparse;
  EXPECT_EQ(statistics(dataset, with(1)).feature_density, 3.0 / 8);
  sparse.values = {0.0f, 1.0f, 2.0f};
  dataset.features = sparse;
  EXPECT_EQ(statistics(dataset, with(1)).feature_density, 2.0 / 8) << "a stored zero is a zero";
}

}  // namespace
}  // namespace cupel
