#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/error.h"
#include "error_of.h"
#include "learn/links/dense_inverse.h"
#include "learn/links/drawn_links.h"

namespace cupel {
namespace {

// Shares of the walk that goes back to i: the stationary distribution, by solving x = x T with
// the last equation replaced by that shares sum to 1.
std::vector<long double> shares(const DrawnLinks& links, Index start, long double alpha) {
  const auto n = static_cast<std::size_t>(links.arcs.rows);
  DenseSquare matrix(n, std::vector<long double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const auto degree = links.arcs.row_size(static_cast<Index>(i));
    matrix[start][i] += degree == 0 ? 1 : alpha;
    for (const Index j : links.arcs.row_columns(static_cast<Index>(i)))
      matrix[j][i] += (1 - alpha) / static_cast<long double>(degree);
    matrix[i][i] -= 1;
  }
  for (long double& x : matrix[n - 1]) x = 1;
  const DenseSquare inverse = dense_inverse(matrix);
  std::vector<long double> out;
  for (const auto& row : inverse) out.push_back(row[n - 1]);
  return out;
}

TEST(PersonalisedPagerank, IsTheStationaryWalk) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const DrawnLinks links = drawn_links(seed, 18, 14 + 2 * static_cast<int>(seed), seed % 2 == 1);
    for (const double alpha : {0.15, 0.6, 0.02, 1.0}) {
      std::vector<std::vector<long double>> of;
      for (Index i = 0; i < 18; ++i) of.push_back(shares(links, i, alpha));
      const std::vector<Pair> pairs = all_pairs(18);
      const auto scores =
          scores_of(*personalised_pagerank_scorer(links.graph(), alpha, {2}), pairs);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const auto [i, j] = pairs[k];
        const auto want = static_cast<double>(of[i][j] + (links.directed ? 0.0L : of[j][i]));
        EXPECT_NEAR(scores[k], want, 1e-6 * want + 1e-10) << i << " " << j << " alpha " << alpha;
      }
    }
  }
}

TEST(PersonalisedPagerank, AlphaOutsideItsRangeIsNamed) {
  const DrawnLinks links = links_of({{0, 1}}, 2);
  for (const double alpha : {0.0, 1.5, std::nan("")})
    EXPECT_EQ(error_of([&] { (void)personalised_pagerank_scorer(links.graph(), alpha, {1}); }),
              fmt::format("personalised-pagerank: alpha is {}; it must be in [0.01, 1]", alpha));
}

// More nodes than the bound above which threads share a step.
TEST(PersonalisedPagerank, LargeRingsAreKnownInClosedForm) {
  constexpr Index kNodes = 70'000;
  std::vector<Pair> ring;
  for (Index i = 0; i < kNodes; ++i) ring.push_back({i, (i + 1) % kNodes});
  const DrawnLinks links = links_of(ring, kNodes);
  const std::vector<Pair> pairs = {{0, 1}, {500, 504}, {69'999, 3}, {0, 40'000}};
  const std::vector<int> distance = {1, 4, 4, 30'000};
  // Shares fall by the smaller root of follow / 2 (x + 1 / x) = 1 for each arc.
  const double follow = 0.85, root = (1 - std::sqrt(1 - follow * follow)) / follow;
  const double at_start = 0.15 / std::sqrt(1 - follow * follow);
  for (const int threads : {1, 2}) {
    const auto scores =
        scores_of(*personalised_pagerank_scorer(links.graph(), 0.15, {threads}), pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const double want = 2 * at_start * std::pow(root, distance[k]);
      EXPECT_NEAR(scores[k], want, 1e-6 * want + 1e-11);
    }
  }
}

}  // namespace
}  // namespace cupel
