#include "cupel/judge/picture/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cupel/base/random.h"

namespace cupel {
namespace {

// Clusters of one node each, all drawn, at random places of the lens.
MapperGraph graph_of(int clusters, const std::vector<std::pair<int, int>>& edges,
                     std::uint32_t seed = 1) {
  Stream stream(stream_key("layout test"), seed);
  MapperGraph out;
  std::vector<int> component(static_cast<std::size_t>(clusters));
  for (int c = 0; c < clusters; ++c) component[static_cast<std::size_t>(c)] = c;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : edges) {
      int &x = component[static_cast<std::size_t>(a)], &y = component[static_cast<std::size_t>(b)];
      if (x == y) continue;
      x = y = std::min(x, y);
      changed = true;
    }
  }
  for (int c = 0; c < clusters; ++c) {
    Cluster cluster;
    cluster.nodes = {c};
    cluster.mean = {stream.next_unit(), stream.next_unit()};
    cluster.component = component[static_cast<std::size_t>(c)];
    out.clusters.push_back(cluster);
  }
  for (const auto& [a, b] : edges) out.edges.push_back({std::min(a, b), std::max(a, b), 1, 1});
  return out;
}

double apart(const PlacedClusters& placed, int a, int b) {
  const LensPoint &p = placed.places[static_cast<std::size_t>(a)],
                  &q = placed.places[static_cast<std::size_t>(b)];
  return std::hypot(p[0] - q[0], p[1] - q[1]);
}

// A chain has a layout without stress, a line, and a triangle and a square's corners theirs.
TEST(PictureLayout, WhatCanBeDrawnWithoutStressIs) {
  std::vector<std::pair<int, int>> chain;
  for (int i = 0; i + 1 < 8; ++i) chain.emplace_back(i, i + 1);
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const PlacedClusters line = lay_out(graph_of(8, chain, seed), PictureLayout::kStress);
    EXPECT_EQ(line.kind, PictureLayout::kStress);
    // Descent along a nearly straight line is slow; it ends where a sweep moves nothing by 0.001.
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < i; ++j) EXPECT_NEAR(apart(line, i, j), i - j, 0.25 * (i - j));
    const PlacedClusters triangle =
        lay_out(graph_of(3, {{0, 1}, {1, 2}, {0, 2}}, seed), PictureLayout::kStress);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) EXPECT_NEAR(apart(triangle, i, j), 1, 0.02);
  }
}

// The stress itself, of the hops that Floyd and Warshall give, against that of the places in the
// lens at their best scale: what is asked of a layout.
TEST(PictureLayout, StressFallsFarBelowThatOfTheLens) {
  constexpr int kSide = 6, kAll = kSide * kSide;
  std::vector<std::pair<int, int>> grid;
  for (int i = 0; i < kAll; ++i) {
    if (i % kSide + 1 < kSide) grid.emplace_back(i, i + 1);
    if (i + kSide < kAll) grid.emplace_back(i, i + kSide);
  }
  std::vector<std::vector<double>> hops(kAll, std::vector<double>(kAll, 1e9));
  for (int i = 0; i < kAll; ++i) hops[std::size_t(i)][std::size_t(i)] = 0;
  for (const auto& [a, b] : grid)
    hops[std::size_t(a)][std::size_t(b)] = hops[std::size_t(b)][std::size_t(a)] = 1;
  for (std::size_t k = 0; k < kAll; ++k)
    for (std::size_t i = 0; i < kAll; ++i)
      for (std::size_t j = 0; j < kAll; ++j)
        hops[i][j] = std::min(hops[i][j], hops[i][k] + hops[k][j]);
  const auto stress = [&](const PlacedClusters& placed) {
    double up = 0, down = 0, out = 0;
    for (int i = 0; i < kAll; ++i) {
      for (int j = 0; j < i; ++j) {
        const double d = hops[std::size_t(i)][std::size_t(j)], a = apart(placed, i, j);
        up += a / d;
        down += a * a / (d * d);
      }
    }
    for (int i = 0; i < kAll; ++i)
      for (int j = 0; j < i; ++j)
        out +=
            std::pow(up / down * apart(placed, i, j) / hops[std::size_t(i)][std::size_t(j)] - 1, 2);
    return out;
  };
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const MapperGraph graph = graph_of(kAll, grid, seed);
    EXPECT_LT(stress(lay_out(graph, PictureLayout::kStress)),
              0.5 * stress(lay_out(graph, PictureLayout::kLens)));
  }
}

TEST(PictureLayout, ComponentsDoNotLieOnEachOther) {
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < 19; ++i) edges.emplace_back(i, i + 1);      // a chain of 20
  for (int i = 21; i < 30; ++i) edges.emplace_back(20, i);        // a star of 10
  for (int i = 30; i < 40; i += 2) edges.emplace_back(i, i + 1);  // five pairs; 40 to 99 alone
  const MapperGraph graph = graph_of(100, edges);
  const PlacedClusters placed = lay_out(graph, PictureLayout::kStress);
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < i; ++j) {
      if (graph.clusters[std::size_t(i)].component == graph.clusters[std::size_t(j)].component)
        continue;
      EXPECT_GT(apart(placed, i, j), 0.7) << i << " and " << j;
    }
  }
  const auto [low, high] = std::ranges::minmax(placed.places);
  EXPECT_LT(high[0] - low[0], 45) << "packed, not in a row";
}

TEST(PictureLayout, TheSameEveryTimeAndNothingIsLostOnOneSpot) {
  MapperGraph graph = graph_of(12, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}});
  for (Cluster& cluster : graph.clusters) cluster.mean = {0.5, 0.5};
  const PlacedClusters first = lay_out(graph, PictureLayout::kStress);
  EXPECT_EQ(first.places, lay_out(graph, PictureLayout::kStress).places);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < i; ++j) EXPECT_GT(apart(first, i, j), 0.5) << i << " and " << j;
}

TEST(PictureLayout, WhatIsNotDrawnTakesNoPlace) {
  MapperGraph graph = graph_of(3, {{0, 1}});
  graph.clusters[2].drawn = false;
  EXPECT_EQ(lay_out(graph, PictureLayout::kStress).places[2], graph.clusters[2].mean);
  for (Cluster& cluster : graph.clusters) cluster.drawn = false;
  EXPECT_EQ(lay_out(graph, PictureLayout::kStress).places.size(), 3u);
  EXPECT_TRUE(lay_out({}, PictureLayout::kStress).places.empty());
}

TEST(PictureLayout, TheLensIsTakenWhereItIsAskedForOrClustersAreTooMany) {
  const MapperGraph few = graph_of(5, {{0, 1}});
  const PlacedClusters asked = lay_out(few, PictureLayout::kLens);
  for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(asked.places[c], few.clusters[c].mean);
  const MapperGraph many = graph_of(kMostByStress + 1, {});
  EXPECT_EQ(lay_out(many, PictureLayout::kStress).kind, PictureLayout::kLens);
}

}  // namespace
}  // namespace cupel
