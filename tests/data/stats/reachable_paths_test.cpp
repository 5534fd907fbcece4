// The mean distance of all pairs that a path joins, in whatever component.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cupel/base/random.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/stats/statistics.h"
#include "data/stats/oracle.h"

namespace cupel {
namespace {

Dataset made(Index nodes, const std::vector<Edge>& edges) {
  Dataset out;
  out.adjacency = from_edges(nodes, edges);
  out.features = Matrix(nodes, 0);
  return out;
}

StatisticsOptions with(int threads, double seconds = 1e6, std::uint64_t seed = 0) {
  return {{threads}, seconds, seed};
}

// Sum over pairs and number of pairs, by Floyd and Warshall.
std::pair<double, std::uint64_t> pairs_of(const Dataset& dataset) {
  double sum = 0;
  std::uint64_t pairs = 0;
  for (const auto& row : oracle::distances(oracle::simple(dataset.adjacency))) {
    for (const Index d : row) {
      if (d > 0) sum += d, ++pairs;
    }
  }
  return {sum, pairs};
}

void expect_exact(const Dataset& dataset, const Statistics& s) {
  const auto [sum, pairs] = pairs_of(dataset);
  EXPECT_EQ(s.reachable_pairs, pairs);
  ASSERT_EQ(s.average_path_reachable.has_value(), pairs > 0);
  if (pairs == 0) return;
  const AveragePath& path = *s.average_path_reachable;
  EXPECT_TRUE(path.exact);
  EXPECT_NEAR(path.value, sum / static_cast<double>(pairs), 1e-12);
  EXPECT_EQ(path.low, path.value);
  EXPECT_EQ(path.high, path.value);
}

// Random graphs of `parts` blocks that no edge joins, of different sizes and densities.
Dataset blocks(Index parts, Index nodes_each, int edges_each, std::uint32_t seed) {
  Stream random({seed, 5}, 1);
  std::vector<Edge> edges;
  Index from = 0;
  for (Index part = 0; part < parts; ++part) {
    const Index nodes = 1 + nodes_each * (part + 1) / parts;
    for (int e = 0; e < edges_each * (1 + part % 3); ++e) {
      edges.push_back({from + static_cast<Index>(random.next_below(nodes)),
                       from + static_cast<Index>(random.next_below(nodes))});
    }
    from += nodes;
  }
  return made(from, edges);
}

TEST(ReachablePaths, AreOfAllComponents) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset dataset = blocks(1 + static_cast<Index>(seed % 7), 12, 4 + seed % 13, seed);
    expect_exact(dataset, statistics(dataset, with(1 + static_cast<int>(seed % 3))));
  }
}

// Components of more than one in a hundred nodes are searched together, the others one by one.
TEST(ReachablePaths, OfSmallAndLargeComponentsTogether) {
  Stream random({3, 3}, 1);
  std::vector<Edge> edges;
  Index nodes = 0;
  for (const Index size : {200, 180, 90, 5, 4, 3, 2, 2, 1, 1}) {
    for (Index v = 1; v < size; ++v)
      edges.push_back({nodes + v, nodes + static_cast<Index>(random.next_below(v))});
    nodes += size;
  }
  const Dataset dataset = made(nodes, edges);
  const Statistics one = statistics(dataset, with(1));
  expect_exact(dataset, one);
  EXPECT_EQ(one.average_path_reachable->sources, nodes - 2) << "all that have a neighbour";
  for (const int threads : {2, 5}) {
    const Statistics s = statistics(dataset, with(threads));
    EXPECT_EQ(s.average_path_reachable->value, one.average_path_reachable->value);
  }
}

TEST(ReachablePaths, OfAConnectedGraphAreTheSame) {
  const Dataset dataset = made(5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});  // and a node alone
  const Statistics s = statistics(dataset, with(1));
  EXPECT_EQ(s.average_path_reachable->value, s.average_path->value);
  EXPECT_EQ(s.reachable_pairs, 12u);
  // networkx: the mean over the 6 + 2 + 2 pairs of {0: 1 - 2, 3 - 4, 5 - 6 - 7, 8}.
  const Statistics parts = statistics(made(9, {{1, 2}, {3, 4}, {5, 6}, {6, 7}, {7, 7}}), with(1));
  EXPECT_DOUBLE_EQ(parts.average_path->value, 4.0 / 3);
  EXPECT_DOUBLE_EQ(parts.average_path_reachable->value, 1.2);
  EXPECT_EQ(parts.reachable_pairs, 10u);
  for (const Dataset& none : {made(0, {}), made(1, {}), made(3, {{1, 1}})}) {
    const Statistics found = statistics(none, with(1));
    EXPECT_FALSE(found.average_path_reachable);
    EXPECT_EQ(found.reachable_pairs, 0u);
  }
}

TEST(ReachablePaths, EstimatesCoverTheTruthAboutAsOftenAsTheySay) {
  // Two long grids and a random graph: distances of the components differ by far.
  std::vector<Edge> edges;
  Index nodes = 0;
  for (const Index length : {120, 60}) {
    for (Index x = 0; x < length; ++x) {
      for (Index y = 0; y < 10; ++y) {
        const Index v = nodes + 10 * x + y;
        if (x > 0) edges.push_back({v, v - 10});
        if (y > 0) edges.push_back({v, v - 1});
      }
    }
    nodes += 10 * length;
  }
  Stream random({8, 1}, 1);
  for (Index v = 1; v < 1000; ++v)
    edges.push_back({nodes + v, nodes + static_cast<Index>(random.next_below(v))});
  const Dataset dataset = made(nodes + 1000, edges);
  const Statistics truth = statistics(dataset, with(2));
  ASSERT_TRUE(truth.average_path_reachable->exact);
  int covered = 0;
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns; ++run) {
    const Statistics s = statistics(dataset, with(2, 1e-9, static_cast<std::uint64_t>(run)));
    const AveragePath& path = *s.average_path_reachable;
    ASSERT_FALSE(path.exact);
    EXPECT_GT(path.sources, s.average_path->sources);
    EXPECT_EQ(s.reachable_pairs, truth.reachable_pairs);
    covered += path.low <= truth.average_path_reachable->value &&
               truth.average_path_reachable->value <= path.high;
  }
  // 57 of 60 expected; fewer than 51 has a probability of 0.2 %.
  EXPECT_GE(covered, 51);
  EXPECT_EQ(statistics(dataset, with(1, 1e-9)).average_path_reachable->value,
            statistics(dataset, with(3, 1e-9)).average_path_reachable->value);
}

// Repeated columns, as the preparation step "both-directions" makes them.
TEST(ReachablePaths, ParallelArcsAreOneEdge) {
  Dataset dataset = made(4, {});
  dataset.adjacency.row_ptr = {0, 3, 3, 8, 9};
  dataset.adjacency.columns = {0, 1, 1, 2, 2, 2, 3, 3, 2};
  dataset.labels() = {0, 0, 1, 1};
  dataset.class_names() = {"a", "b"};
  const Statistics s = statistics(dataset, with(2));
  EXPECT_EQ(s.edges, 2);
  EXPECT_EQ(s.arcs, 9);
  EXPECT_EQ(s.self_loops, 4);
  EXPECT_EQ(s.reciprocal, 1) << "2 - 3; 0 -> 1 twice is one direction";
  EXPECT_DOUBLE_EQ(s.degree.mean, 1);
  EXPECT_DOUBLE_EQ(s.mean_degree_with_loops, 2) << "two nodes have self-loops";
  EXPECT_DOUBLE_EQ(s.average_path_reachable->value, 1);
  EXPECT_EQ(s.reachable_pairs, 4u);
}

// Mernyei and Cangea 2020, table 1: the average shortest path as printed. Where known, more digits
// and the number of pairs from SciPy's dijkstra(unweighted=True) over all sources of the same file.
// Their mean degrees of the citation graphs (4.00, 2.84, 4.50) count lines of the files these were
// made from, repeats included (5429, 4732 and 44338); distinct pairs and self-loops are fewer.
struct Published {
  const char* folder;
  double printed, value;
  std::uint64_t pairs;
  double mean_degree_with_loops;
};

const Published kPublished[] = {
    {"cora-planetoid", 6.31, 6.310310801906627, 6173836, 2 * 5278 / 2708.0},
    {"citeseer-planetoid", 9.32, 9.32317763436192, 4496326, 2 * (4552 + 124) / 3327.0},
    {"pubmed-planetoid", 6.34, 0, 0, 2 * 44324 / 19717.0},
    {"citeseer", 9.30, 9.303964975303098, 4454000, 2 * (4536 + 124) / 3312.0},
};

TEST(ReachablePaths, OfRealDataAreThePublishedOnes) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  int found = 0;
  for (const Published& p : kPublished) {
    const auto folder = std::filesystem::path(data) / p.folder;
    if (!std::filesystem::exists(folder)) continue;
    ++found;
    SCOPED_TRACE(p.folder);
    const Statistics s = statistics(read_dataset(folder), with(2));
    ASSERT_TRUE(s.average_path_reachable->exact);
    EXPECT_NEAR(s.average_path_reachable->value, p.printed, 0.005001);
    EXPECT_NEAR(s.mean_degree_with_loops, p.mean_degree_with_loops, 1e-12);
    if (p.pairs == 0) continue;
    EXPECT_NEAR(s.average_path_reachable->value, p.value, 1e-12);
    EXPECT_EQ(s.reachable_pairs, p.pairs);
  }
  if (found == 0) GTEST_SKIP() << "CUPEL_DATA has none of the data sets";
}

}  // namespace
}  // namespace cupel
