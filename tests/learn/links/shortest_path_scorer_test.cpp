#include <gtest/gtest.h>

#include <algorithm>

#include "learn/links/drawn_links.h"

namespace cupel {
namespace {

constexpr Index kFar = 1'000'000;

// Floyd and Warshall.
std::vector<std::vector<Index>> distances(const DrawnLinks& links) {
  const Index n = links.arcs.rows;
  std::vector<std::vector<Index>> d(n, std::vector<Index>(n, kFar));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (i == j || links.joined(i, j)) d[i][j] = i != j;
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  return d;
}

void expect_distances(const DrawnLinks& links) {
  const auto d = distances(links);
  const std::vector<Pair> pairs = all_pairs(links.arcs.rows);
  const std::vector<float> scores = scores_of(*shortest_path_scorer(links.graph(), {2}), pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Index far = d[pairs[k].source][pairs[k].target];
    EXPECT_EQ(scores[k], far == kFar ? 0.0f : 1.0f / static_cast<float>(far));
  }
}

TEST(ShortestPathScorer, AgreesWithAllPairsOfFloydAndWarshall) {
  for (std::uint32_t seed = 0; seed < 12; ++seed)
    expect_distances(drawn_links(seed, 40, 20 + 4 * static_cast<int>(seed), seed % 2 == 1));
}

TEST(ShortestPathScorer, MoreSourcesThanASearchHasBits) {
  for (const bool directed : {false, true}) expect_distances(drawn_links(7, 150, 160, directed));
}

TEST(ShortestPathScorer, LongPathsAreOrderedByTheirLength) {
  constexpr Index kNodes = 3000;
  std::vector<Pair> path, pairs;
  for (Index i = 1; i < kNodes; ++i) path.push_back({i - 1, i});
  for (Index i = 1; i < kNodes; ++i) pairs.push_back({0, i});
  const DrawnLinks links = links_of(path, kNodes);
  const std::vector<float> scores = scores_of(*shortest_path_scorer(links.graph(), {1}), pairs);
  for (std::size_t k = 1; k < scores.size(); ++k) EXPECT_LT(scores[k], scores[k - 1]);
  EXPECT_GT(scores.back(), 0);
}

}  // namespace
}  // namespace cupel
