#include "cupel/judge/stats/tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cupel/base/random.h"
#include "cupel/judge/stats/descriptive.h"

namespace cupel {
namespace {

const std::vector<double> kA = {81.2, 79.5, 83.1, 80.4, 82.2, 78.9, 81.7};
const std::vector<double> kB = {80.1, 79.9, 81.0, 80.2, 80.5, 78.0, 81.2};

TEST(Student, AgreesWithScipy) {
  EXPECT_NEAR(student_p(2.0, 5), 0.10193947882985835, 1e-12);  // 2 * scipy.stats.t.sf(2, 5)
  EXPECT_NEAR(student_p(-0.3, 99.5), 0.7648030052597685, 1e-12);
  EXPECT_NEAR(student_p(12.0, 3), 0.0012450158007893362, 1e-13);
  EXPECT_NEAR(student_p(1.96, INFINITY), 0.04999579029644087, 1e-12);
  EXPECT_NEAR(student_critical(0.05, 9), 2.262157162798205, 1e-10);  // t.ppf(0.975, 9)
  EXPECT_NEAR(student_critical(0.05, INFINITY), 1.959963984540054, 1e-10);
}

TEST(Welch, AgreesWithScipyFromSummaries) {
  // scipy.stats.ttest_ind_from_stats(81.58, 1.28, 100, 81.1, 1.3, 40, equal_var=False)
  const std::vector<ErrorPart> errors = {{1.28 * 1.28 / 100, 99}, {1.3 * 1.3 / 40, 39}};
  const Difference d = welch(81.58 - 81.1, errors);
  EXPECT_NEAR(d.value / d.standard_error, 1.982286740723398, 1e-10);
  EXPECT_NEAR(d.p, 0.051323029821449054, 1e-11);
}

TEST(Welch, AgreesWithScipyFromSamples) {
  // scipy.stats.ttest_ind([1, 2.5, 3, 7], [2, 2.2, 1.9], equal_var=False), with its interval
  const Estimate a = estimate(std::vector<double>{1, 2.5, 3, 7}),
                 b = estimate(std::vector<double>{2, 2.2, 1.9});
  const std::vector<ErrorPart> errors = {{*a.standard_error * *a.standard_error, a.df},
                                         {*b.standard_error * *b.standard_error, b.df}};
  const Difference d = welch(a.mean - b.mean, errors);
  EXPECT_NEAR(d.p, 0.37216223003579124, 1e-10);
  EXPECT_NEAR(d.df, 3.0284097747618324, 1e-10);
  EXPECT_NEAR(d.value - d.margin(0.05), -2.7226814808184656, 1e-9);
  EXPECT_NEAR(d.value + d.margin(0.05), 5.406014814151799, 1e-9);
}

TEST(Welch, WithoutErrorOnlyEqualityIsCompatible) {
  const std::vector<ErrorPart> none = {{0, 4}};
  EXPECT_EQ(welch(0, none).p, 1);
  EXPECT_EQ(welch(1e-9, none).p, 0);
  EXPECT_EQ(welch(1e-9, none).margin(0.05), 0);
}

TEST(Welch, ErrorsOfTheFirstKindComeAtTheirRate) {
  // Two means of 5 and 12 draws with different spread and no difference: p is uniform.
  int below_5 = 0, below_50 = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    Stream stream(stream_key("null"), 1, static_cast<std::uint32_t>(trial));
    std::vector<double> a(5), b(12);
    for (double& x : a) x = 3 * stream.next_normal();
    for (double& x : b) x = stream.next_normal();
    const Estimate ea = estimate(a), eb = estimate(b);
    const std::vector<ErrorPart> errors = {{*ea.standard_error * *ea.standard_error, ea.df},
                                           {*eb.standard_error * *eb.standard_error, eb.df}};
    const double p = welch(ea.mean - eb.mean, errors).p;
    below_5 += p < 0.05;
    below_50 += p < 0.5;
  }
  EXPECT_NEAR(below_5 / double{kTrials}, 0.05, 0.012);
  EXPECT_NEAR(below_50 / double{kTrials}, 0.5, 0.03);
}

TEST(PairedT, AgreesWithScipy) {
  const Difference d = paired_t(kA, kB);  // scipy.stats.ttest_rel
  EXPECT_NEAR(d.value / d.standard_error, 2.6758847517444306, 1e-9);
  EXPECT_NEAR(d.p, 0.03673713224849151, 1e-11);
  EXPECT_NEAR(d.value - d.margin(0.05), 0.07456730994679783, 1e-9);
}

TEST(Wilcoxon, AgreesWithScipyExactAndNormal) {
  EXPECT_NEAR(wilcoxon(kA, kB).p, 0.046875, 1e-12);  // scipy.stats.wilcoxon(a, b, method="exact")
  std::vector<double> x, y;
  for (int i = 0; i < 60; ++i) {
    x.push_back((i * 37) % 101);
    y.push_back((i * 53) % 97);
  }
  // scipy.stats.wilcoxon(x, y, method="asymptotic", correction=False): ties, one zero
  EXPECT_NEAR(wilcoxon(x, y).p, 0.43244333496176646, 1e-10);
  EXPECT_EQ(wilcoxon(x, y).n, 59);
}

TEST(Wilcoxon, ExactPIsTheShareOfSignPatternsAsExtreme) {
  // Every one of the 2^10 sign patterns, with ties among the sizes.
  const std::vector<double> d = {3, -1, 1, 2, 2, -2, 5, 6, 3, -4};
  const std::vector<double> zero(d.size(), 0.0);
  std::vector<double> minus_sizes;
  for (const double x : d) minus_sizes.push_back(-std::abs(x));
  const std::vector<double> rank = ranks_from_best(minus_sizes);
  const double center = 55.0 / 2, seen = std::abs(wilcoxon(d, zero).statistic - center);
  int extreme = 0;
  for (int signs = 0; signs < 1024; ++signs) {
    double sum = 0;
    for (int i = 0; i < 10; ++i) sum += (signs >> i & 1) ? rank[static_cast<std::size_t>(i)] : 0;
    extreme += std::abs(sum - center) >= seen - 1e-9;
  }
  EXPECT_NEAR(wilcoxon(d, zero).p, extreme / 1024.0, 1e-12);
}

TEST(Wilcoxon, RoundingNeitherBreaksTiesNorMakesDifferences) {
  const std::vector<double> a = {0.3, 0.3, 0.1 + 0.2}, b = {0.2, 0.4, 0.3};
  const SignedRank test = wilcoxon(a, b);
  EXPECT_EQ(test.n, 2);            // the last pair is equal
  EXPECT_EQ(test.statistic, 1.5);  // the others are 0.1 apart, one to each side
  EXPECT_EQ(test.p, 1);
}

TEST(Wilcoxon, NoDifferenceAtAllIsNoEvidence) {
  EXPECT_EQ(wilcoxon(kA, kA).p, 1);
  EXPECT_EQ(wilcoxon(kA, kA).n, 0);
}

TEST(Holm, AgreesWithStatsmodels) {
  // statsmodels.stats.multitest.multipletests(p, method="holm")
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.2};
  const std::vector<double> expected = {0.04, 0.09, 0.09, 0.025, 0.2};
  const std::vector<double> adjusted = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-12);
  EXPECT_TRUE(holm({}).empty());
}

TEST(Holm, KeepsTheFamilyWiseRate) {
  int wrong = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Stream stream(stream_key("family"), 1, static_cast<std::uint32_t>(trial));
    std::vector<double> p(20);
    for (double& x : p) x = stream.next_unit();
    const std::vector<double> adjusted = holm(p);
    wrong += *std::min_element(adjusted.begin(), adjusted.end()) <= 0.05;
  }
  EXPECT_NEAR(wrong / 2000.0, 0.05, 0.015);
}

TEST(Friedman, AgreesWithScipy) {
  // scipy.stats.friedmanchisquare; block 5 has a tie
  const Friedman f = friedman({{81.5, 81.8, 81.3, 58.2},
                               {71.9, 71.4, 71.2, 59.1},
                               {77.8, 78.7, 78.6, 70.0},
                               {91.1, 90.5, 90.8, 88.3},
                               {92.8, 92.5, 92.5, 88.9},
                               {82.6, 78.0, 83.5, 44.9}});
  EXPECT_NEAR(f.chi_squared, 11.644067796610173, 1e-9);
  EXPECT_NEAR(f.f, 5 * 11.644067796610173 / (18 - 11.644067796610173), 1e-9);
  EXPECT_EQ(f.p_is, FriedmanP::kCounted);
  EXPECT_LT(f.p, 0.008707420780143622) << "chi squared is conservative";
  EXPECT_NEAR(f.mean_ranks[0], 10.0 / 6, 1e-12);
  EXPECT_NEAR(f.mean_ranks[3], 4, 1e-12);
}

TEST(Friedman, AllTiesAreNoEvidence) { EXPECT_EQ(friedman({{1, 1, 1}, {2, 2, 2}}).p, 1); }

// P(statistic as large) over all orders of the values within the blocks, one by one.
double enumerated_p(const std::vector<std::vector<double>>& values) {
  const auto statistic = [](const std::vector<std::vector<double>>& blocks) {
    std::vector<double> sums(blocks.front().size(), 0.0);
    for (const auto& block : blocks) {
      const std::vector<double> ranks = ranks_from_best(block);
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += ranks[j];
    }
    double squares = 0;
    for (const double sum : sums) squares += sum * sum;
    return squares;
  };
  const double observed = statistic(values);
  std::vector<std::vector<double>> blocks = values;
  for (auto& block : blocks) std::sort(block.begin(), block.end());
  double all = 0, as_large = 0;
  for (std::size_t b = 0; b < blocks.size();) {
    ++all;
    as_large += statistic(blocks) >= observed - 1e-9;
    for (b = 0; b < blocks.size(); ++b)
      if (std::next_permutation(blocks[b].begin(), blocks[b].end())) break;
  }
  return as_large / all;
}

TEST(Friedman, CountsWhatEnumerationCounts) {
  const std::vector<std::vector<std::vector<double>>> samples = {
      {{3, 2, 1}, {3, 2, 1}},
      {{3, 2, 1}, {3, 1, 2}, {2, 3, 1}},
      {{3, 2, 2}, {3, 1, 2}, {3, 2, 1}, {1, 1, 1}},
      {{1, 2, 3, 4}, {2, 1, 3, 4}, {1, 3, 2, 4}},
      {{1, 1, 2, 2}, {2, 1, 3, 4}, {1, 3, 3, 3}},
      {{5, 1, 2, 3, 4}, {5, 2, 1, 4, 3}},
  };
  for (const auto& sample : samples) {
    const Friedman f = friedman(sample);
    EXPECT_EQ(f.p_is, FriedmanP::kCounted);
    EXPECT_NEAR(f.p, enumerated_p(sample), 1e-12);
  }
}

// Tables of the exact distribution for three treatments over four and five blocks (Friedman, JASA
// 1937).
TEST(Friedman, IsThatOfTheTables) {
  const std::vector<double> up = {1, 2, 3}, swapped = {2, 1, 3};
  EXPECT_NEAR(friedman({up, up, up, up}).chi_squared, 8, 1e-12);
  EXPECT_NEAR(friedman({up, up, up, up}).p, 0.00463, 5e-6);
  EXPECT_NEAR(friedman({up, up, up, swapped}).chi_squared, 6.5, 1e-12);
  EXPECT_NEAR(friedman({up, up, up, swapped}).p, 0.0417, 5e-5);
  EXPECT_NEAR(friedman({up, up, up, up, swapped}).chi_squared, 8.4, 1e-12);
  EXPECT_NEAR(friedman({up, up, up, up, swapped}).p, 0.0085, 5e-5);
}

TEST(Friedman, FullAgreementHasTheChanceOfFullAgreement) {
  const Friedman few = friedman({{3, 2, 1}, {30, 20, 10}});
  EXPECT_TRUE(few.alike);
  EXPECT_EQ(few.p_is, FriedmanP::kCounted);
  EXPECT_NEAR(few.p, 1.0 / 6, 1e-12);
  EXPECT_NEAR(friedman({{3, 2, 2}, {9, 1, 1}, {7, 5, 5}}).p, 1.0 / 9, 1e-12) << "3 orders, tied";
  std::vector<double> twelve(12), twenty(20);
  std::iota(twelve.begin(), twelve.end(), 0.0);
  std::iota(twenty.begin(), twenty.end(), 0.0);
  const Friedman many = friedman({twelve, twelve});
  EXPECT_EQ(many.p_is, FriedmanP::kChanceOfRanks);
  EXPECT_TRUE(many.alike);
  EXPECT_NEAR(many.p, 1 / std::tgamma(13.0), 1e-18);
  EXPECT_GT(friedman(std::vector<std::vector<double>>(200, twenty)).p, 0);
}

// F is finite and its tail far below the chance of the very same ranks with other names.
TEST(Friedman, IsNeverBelowTheChanceOfTheRanksSeen) {
  std::vector<double> up(12);
  std::iota(up.begin(), up.end(), 0.0);
  std::vector<double> swapped = up;
  std::swap(swapped[0], swapped[1]);
  const Friedman f = friedman({up, swapped});
  EXPECT_EQ(f.p_is, FriedmanP::kChanceOfRanks);
  EXPECT_FALSE(f.alike);
  EXPECT_NEAR(f.f, 285, 1e-6);
  EXPECT_NEAR(f.p * std::tgamma(13.0), 1, 1e-9);
}

// scipy.stats.f.sf(F, k - 1, (k - 1)(n - 1)), F = (n - 1) chi2 / (n (k - 1) - chi2).
TEST(Friedman, OfManyOrdersIsThatOfF) {
  const std::vector<double> up = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<double> other = {4, 1, 7, 0, 9, 2, 5, 3, 8, 6};
  const Friedman f = friedman({up, other, up, other});
  EXPECT_EQ(f.p_is, FriedmanP::kF);
  EXPECT_NEAR(f.chi_squared, 24.0, 1e-9);
  EXPECT_NEAR(f.f, 6.0, 1e-9);
  EXPECT_NEAR(f.p, 0.00013119388320722268, 1e-12);
}

TEST(Nemenyi, AgreesWithScipy) {
  // studentized_range.ppf(0.95, k, inf) / sqrt(2) * sqrt(k (k + 1) / (6 n))
  EXPECT_NEAR(nemenyi_difference(2, 10, 0.05), 0.6197950323045613, 1e-6);
  EXPECT_NEAR(nemenyi_difference(4, 6, 0.05), 1.9148432265902373, 1e-6);
  EXPECT_NEAR(nemenyi_difference(10, 8, 0.05), 4.789263851159032, 1e-6);
  EXPECT_NEAR(nemenyi_difference(12, 7, 0.05), 6.298254757226444, 1e-6);
}

TEST(Ranks, TiesShareTheirMean) {
  EXPECT_EQ(ranks_from_best(std::vector<double>{2, 5, 2, 9, 2}),
            (std::vector<double>{4, 2, 4, 1, 4}));
}

TEST(Ranks, WhatRoundingTellsApartIsATie) {
  EXPECT_EQ(ranks_from_best(std::vector<double>{0.3, 0.1 + 0.2, 0.4, -0.3, -0.1 - 0.2}),
            (std::vector<double>{2.5, 2.5, 1, 4.5, 4.5}));
  EXPECT_EQ(ranks_from_best(std::vector<double>{1, 1 + 1e-11, 0, 1e-300}),
            (std::vector<double>{2, 1, 4, 3}));
}

TEST(Kendall, IsThatOfSciPy) {
  const std::vector<double> up = {1, 2, 3, 4}, down = {4, 3, 2, 1}, flat = {1, 1, 1, 1};
  EXPECT_DOUBLE_EQ(kendall(up, up), 1);
  EXPECT_DOUBLE_EQ(kendall(up, down), -1);
  EXPECT_DOUBLE_EQ(kendall(up, flat), 0);
  // scipy.stats.kendalltau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])
  const std::vector<double> a = {12, 2, 1, 12, 2}, b = {1, 4, 7, 1, 0};
  EXPECT_NEAR(kendall(a, b), -0.4714045207910316, 1e-12);
}

}  // namespace
}  // namespace cupel
