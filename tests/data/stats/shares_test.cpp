// Nodes by their share of same-class neighbours, in 25 bins, with and without self-loops.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "cupel/base/random.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/graph/graph.h"
#include "cupel/data/stats/statistics.h"

namespace cupel {
namespace {

Dataset made(Index nodes, const std::vector<Edge>& edges, std::vector<Index> labels,
             Index classes) {
  Dataset out;
  out.adjacency = from_edges(nodes, edges);
  out.features = Matrix(nodes, 0);
  for (Index k = 0; k < classes; ++k) out.class_names().push_back(std::to_string(k));
  out.labels() = std::move(labels);
  return out;
}

// From the list of arcs alone. Nodes without a label (-1) are no one's neighbours.
SameClassShares slow(const Dataset& dataset, const std::vector<Edge>& arcs, bool loops) {
  const auto& y = dataset.labels();
  std::vector<std::set<Index>> neighbours(y.size());
  for (const auto& [i, j] : arcs) {
    if (y[i] < 0 || y[j] < 0 || (i == j && !loops)) continue;
    neighbours[i].insert(j);
    neighbours[j].insert(i);
  }
  SameClassShares out;
  out.bins.assign(25, 0);
  double sum = 0;
  for (std::size_t v = 0; v < y.size(); ++v) {
    if (y[v] < 0) continue;
    const auto all = static_cast<Index>(neighbours[v].size());
    if (all == 0) {
      ++out.left_out;
      continue;
    }
    Index same = 0;
    for (const Index w : neighbours[v]) same += y[w] == y[v];
    Index bin = 0;  // the last whose lower end k/25 is not above same/all
    while (bin < 24 && (bin + 1) * all <= same * 25) ++bin;
    ++out.bins[bin];
    ++out.nodes;
    sum += static_cast<double>(same) / all;
  }
  if (out.nodes > 0) out.mean = sum / static_cast<double>(out.nodes);
  return out;
}

void expect_equal(const SameClassShares& found, const SameClassShares& wanted) {
  EXPECT_EQ(found.bins, wanted.bins);
  EXPECT_EQ(found.nodes, wanted.nodes);
  EXPECT_EQ(found.left_out, wanted.left_out);
  ASSERT_EQ(found.mean.has_value(), wanted.mean.has_value());
  if (wanted.mean) {
    EXPECT_NEAR(*found.mean, *wanted.mean, 1e-12);
  }
}

TEST(Shares, AreAsDefinedOnRandomGraphs) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Stream random({seed, 9}, 1);
    const Index nodes = 2 + static_cast<Index>(seed), classes = 1 + static_cast<Index>(seed % 4);
    std::vector<Edge> arcs;
    for (std::uint32_t e = 0; e < 3 * seed; ++e) {
      const auto i = static_cast<Index>(random.next_below(nodes));
      const bool loop = random.next_below(6) == 0;
      arcs.push_back({i, loop ? i : static_cast<Index>(random.next_below(nodes))});
    }
    std::vector<Index> labels;
    for (Index v = 0; v < nodes; ++v) {
      const bool none = seed % 5 == 4 && random.next_below(3) == 0;
      labels.push_back(none ? -1 : static_cast<Index>(random.next_below(classes)));
    }
    const Dataset dataset = made(nodes, arcs, labels, classes);
    const auto found = label_statistics(dataset, {1 + static_cast<int>(seed % 3)});
    ASSERT_TRUE(found);
    expect_equal(found->shares, slow(dataset, arcs, false));
    expect_equal(found->shares_with_loops, slow(dataset, arcs, true));
    EXPECT_EQ(found->node_homophily, found->shares.mean);
  }
}

TEST(Shares, FallIntoBinsByWholeNumbers) {
  // A hub with 25 neighbours, 7 of its class: 7/25 is in bin 7, though 7 * 0.04 > 0.28 in floating
  // point. numpy.histogram puts it into bin 6.
  std::vector<Edge> edges;
  std::vector<Index> labels = {0};
  for (Index v = 1; v <= 25; ++v) edges.push_back({0, v}), labels.push_back(v <= 7 ? 0 : 1);
  const auto found = label_statistics(made(26, edges, labels, 2), {});
  std::vector<std::int64_t> wanted(25);
  wanted[7] = 1, wanted[0] = 18, wanted[24] = 7;
  EXPECT_EQ(found->shares.bins, wanted);
}

TEST(Shares, ASelfLoopIsANeighbourOfTheSameClass) {
  // 0 - 1 of two classes, a loop at 0; 2 has nothing but a loop; 3 has nothing.
  const auto found = label_statistics(made(4, {{0, 1}, {0, 0}, {2, 2}}, {0, 1, 0, 1}, 2), {});
  EXPECT_EQ(found->shares.nodes, 2);
  EXPECT_EQ(found->shares.left_out, 2);
  EXPECT_EQ(found->shares.mean, 0.0);
  const SameClassShares& looped = found->shares_with_loops;
  EXPECT_EQ(looped.nodes, 3);
  EXPECT_EQ(looped.left_out, 1);
  EXPECT_EQ(looped.mean, 0.5);  // 1/2, 0, 1
  EXPECT_EQ(looped.bins[12], 1);
  EXPECT_EQ(looped.bins[0], 1);
  EXPECT_EQ(looped.bins[24], 1);
  EXPECT_EQ(
      statistics(made(4, {{0, 1}, {0, 0}, {2, 2}}, {0, 1, 0, 1}, 2), {}).mean_degree_with_loops,
      2 * 3 / 4.0);
}

TEST(Shares, OfNothingAreNone) {
  for (const auto& found :
       {label_statistics(made(0, {}, {}, 0), {}), label_statistics(made(2, {}, {0, 0}, 1), {})}) {
    ASSERT_TRUE(found);
    EXPECT_EQ(found->shares.bins, std::vector<std::int64_t>(25));
    EXPECT_EQ(found->shares.nodes, 0);
    EXPECT_FALSE(found->shares.mean || found->shares_with_loops.mean);
  }
}

// Counted by Python with fractions.Fraction, from the file's arrays.
TEST(Shares, OfCiteseerAreThoseThatPythonCounts) {
  const char* data = std::getenv("CUPEL_DATA");
  if (data == nullptr) GTEST_SKIP() << "CUPEL_DATA is not set";
  const auto folder = std::filesystem::path(data) / "citeseer-planetoid";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  const auto found = label_statistics(read_dataset(folder), {2});
  EXPECT_EQ(found->shares.bins,
            (std::vector<std::int64_t>{599, 1, 6,  3,   7,  6,  30, 4,  72, 3,  16, 1,   258,
                                       2,   7, 37, 137, 13, 49, 5,  56, 18, 23, 6,  1920}));
  EXPECT_EQ(found->shares.nodes, 3279);
  EXPECT_NEAR(*found->shares.mean, 0.7165876673324181, 1e-12);
  EXPECT_EQ(found->shares_with_loops.bins,
            (std::vector<std::int64_t>{592, 1, 6,  3,   7,  7,  31, 4,  69, 3,  16, 1,   259,
                                       2,   7, 36, 143, 13, 50, 5,  57, 17, 24, 6,  1968}));
  EXPECT_EQ(found->shares_with_loops.left_out, 0);
  EXPECT_NEAR(*found->shares_with_loops.mean, 0.722161601279684, 1e-12);
}

}  // namespace
}  // namespace cupel
