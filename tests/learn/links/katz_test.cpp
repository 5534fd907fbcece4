#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/error.h"
#include "error_of.h"
#include "learn/links/dense_inverse.h"
#include "learn/links/drawn_links.h"

namespace cupel {
namespace {

DenseSquare squares(const DrawnLinks& links) {
  const auto n = static_cast<std::size_t>(links.arcs.rows);
  DenseSquare out(n, std::vector<long double>(n));
  for (const Pair& p : all_pairs(links.arcs.rows))
    out[p.source][p.target] = links.joined(p.source, p.target);
  return out;
}

// The sum of beta^l (A^l)_ij, product by product.
DenseSquare summed_powers(const DrawnLinks& links, double beta, int length) {
  const DenseSquare a = squares(links);
  const std::size_t n = a.size();
  DenseSquare power = a, sum(n, std::vector<long double>(n));
  for (auto& row : power)
    for (auto& x : row) x *= beta;
  for (int l = 1; l <= length; ++l) {
    DenseSquare next(n, std::vector<long double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) {
        sum[i][k] += power[i][k];
        for (std::size_t j = 0; j < n; ++j) next[i][j] += power[i][k] * beta * a[k][j];
      }
    power = next;
  }
  return sum;
}

void expect_katz(const DrawnLinks& links, KatzSettings settings, const DenseSquare& wanted,
                 double relative) {
  const std::vector<Pair> pairs = all_pairs(links.arcs.rows);
  const std::vector<float> scores = scores_of(*katz_scorer(links.graph(), settings, {2}), pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto want = static_cast<double>(wanted[pairs[k].source][pairs[k].target]);
    EXPECT_NEAR(scores[k], want, relative * want + 1e-15) << pairs[k].source << pairs[k].target;
  }
}

TEST(Katz, TheInfiniteSumIsAnInverse) {
  for (std::uint32_t seed = 0; seed < 16; ++seed) {
    const DrawnLinks links = drawn_links(seed, 20, 12 + 2 * static_cast<int>(seed), seed % 2 == 1);
    for (const double beta : {0.005, 0.08}) {
      DenseSquare matrix = squares(links);
      for (std::size_t i = 0; i < matrix.size(); ++i)
        for (std::size_t j = 0; j < matrix.size(); ++j)
          matrix[i][j] = (i == j) - static_cast<long double>(beta) * matrix[i][j];
      expect_katz(links, {beta, 0}, dense_inverse(matrix), 1e-6);
    }
  }
}

TEST(Katz, ATruncatedSumIsOfWalksUpToThatLength) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const DrawnLinks links = drawn_links(seed, 18, 30, seed % 2 == 1);
    for (const int length : {1, 2, 3, 6})
      expect_katz(links, {0.3, length}, summed_powers(links, 0.3, length), 1e-6);
  }
}

// Two ends of a path, whose score is next to nothing, still have every digit.
TEST(Katz, ScoresOfFarPairsAreExactToo) {
  constexpr Index kNodes = 14;
  std::vector<Pair> path;
  for (Index i = 1; i < kNodes; ++i) path.push_back({i - 1, i});
  const DrawnLinks links = links_of(path, kNodes);
  const DenseSquare wanted = summed_powers(links, 0.005, 80);
  const auto scores = scores_of(*katz_scorer(links.graph(), {}, {1}), {{0, 13}, {0, 12}, {3, 9}});
  const std::vector<std::pair<float, long double>> both = {
      {scores[0], wanted[0][13]}, {scores[1], wanted[0][12]}, {scores[2], wanted[3][9]}};
  for (const auto& [score, want] : both)
    EXPECT_NEAR(static_cast<double>(score / want), 1, 1e-6) << score;
}

// Paths that meet no node twice, as they are counted by Li et al. 2023 up to three arcs.
long double simple_paths(const DrawnLinks& links, Index at, Index to, int left, double weight,
                         double beta, std::vector<bool>& met) {
  if (at == to) return weight;
  if (left == 0) return 0;
  long double sum = 0;
  met[at] = true;
  for (const Index next : links.arcs.row_columns(at))
    if (!met[next]) sum += simple_paths(links, next, to, left - 1, weight * beta, beta, met);
  met[at] = false;
  return sum;
}

TEST(Katz, UpToThreeArcsWalksBetweenUnlinkedNodesArePaths) {
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    const DrawnLinks links = drawn_links(seed, 16, 30, false);
    const std::vector<Pair> pairs = all_pairs(16);
    const auto scores = scores_of(*katz_scorer(links.graph(), {0.005, 3}, {1}), pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (links.joined(pairs[k].source, pairs[k].target)) continue;
      std::vector<bool> met(16);
      const auto want = static_cast<double>(
          simple_paths(links, pairs[k].source, pairs[k].target, 3, 1, 0.005, met));
      EXPECT_NEAR(scores[k], want, 1e-6 * want);
      compared += want > 0;
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(Katz, ASumThatDivergesIsRefused) {
  std::vector<Pair> star;
  for (Index k = 1; k <= 400; ++k) star.push_back({0, k});  // largest eigenvalue: 20
  const DrawnLinks links = links_of(star, 401);
  EXPECT_NO_THROW((void)katz_scorer(links.graph(), {0.047, 0}, {1}));
  for (const double beta : {0.05, 0.06, 3.0}) {
    const std::string message = error_of([&] { (void)katz_scorer(links.graph(), {beta, 0}, {1}); });
    EXPECT_NE(message.find("clearly below 0.05,"), std::string::npos) << message;
  }
  EXPECT_NO_THROW((void)katz_scorer(links.graph(), {0.06, 9}, {1}));
  EXPECT_NE(error_of([&] {
              (void)katz_scorer(links.graph(), {3.0, 200}, {1});
            }).find("float32"),
            std::string::npos);
}

// Without cycles every sum ends.
TEST(Katz, AnyBetaServesWhereNoWalkReturns) {
  const DrawnLinks links = links_of({{0, 1}, {1, 2}, {0, 2}, {2, 3}}, 4, true);
  const auto scores = scores_of(*katz_scorer(links.graph(), {4.0, 0}, {1}),
                                {{0, 1}, {0, 2}, {0, 3}, {3, 0}, {1, 3}});
  EXPECT_EQ(scores, (std::vector<float>{4, 4 + 16, 16 + 64, 0, 16}));
}

TEST(Katz, SettingsOutsideTheirRangeAreNamed) {
  const DrawnLinks links = links_of({{0, 1}}, 2);
  const auto message = [&](KatzSettings settings) {
    return error_of([&] { (void)katz_scorer(links.graph(), settings, {1}); });
  };
  EXPECT_EQ(message({0, 0}), "katz: beta is 0; it must be above 0");
  EXPECT_EQ(message({std::nan(""), 0}), "katz: beta is nan; it must be above 0");
  EXPECT_NE(message({0.1, -1}).find("length is -1"), std::string::npos);
  EXPECT_NE(message({0.1, 2001}).find("length is 2001"), std::string::npos);
}

}  // namespace
}  // namespace cupel
