#include "cupel/judge/report/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/random.h"

namespace cupel {
namespace {

Estimate ours(double mean, double error, int draws) {
  return {mean, error, static_cast<double>(draws - 1), draws};
}

PublishedMean stated(double mean, double spread, double draws) {
  return {mean, spread, "sd_ddof1_pooled_runs", draws, 0.1};
}

Verdict verdict_of(const GapTest& test) { return decide({&test, 1})[0].verdict; }

TEST(GapTest, IsWelchWithTheRoundingOfThePrintedMean) {
  const GapTest test = test_gap(ours(81.9, 0.13, 100), 1.3, stated(81.5, 1.3, 100));
  const double variance = 0.13 * 0.13 + 1.3 * 1.3 / 100 + 0.1 * 0.1 / 12;
  EXPECT_NEAR(test.gap.value, 0.4, 1e-12);
  EXPECT_NEAR(test.gap.standard_error, std::sqrt(variance), 1e-12);
  // scipy.stats.ttest_ind_from_stats(81.9, 1.3, 100, 81.5, 1.3, 100) is 0.0307 without rounding
  EXPECT_NEAR(test.p_largest, 0.0307, 0.004);
  EXPECT_EQ(test.p_smallest, test.p_largest);
}

TEST(GapTest, EqualMeansAgreeHoweverSharp) {
  EXPECT_EQ(verdict_of(test_gap(ours(20, 0, 100), 0.0, stated(20.0, 0, 100))), Verdict::kAgrees);
}

TEST(GapTest, WithoutAnySpreadOnlyRoundingIsForgiven) {
  EXPECT_EQ(verdict_of(test_gap(ours(20.04, 0, 100), 0.0, stated(20.0, 0, 100))), Verdict::kAgrees);
  EXPECT_EQ(verdict_of(test_gap(ours(20.2, 0, 100), 0.0, stated(20.0, 0, 100))), Verdict::kHigher);
  EXPECT_EQ(verdict_of(test_gap(ours(19.8, 0, 100), 0.0, stated(20.0, 0, 100))), Verdict::kLower);
}

TEST(GapTest, AStandardErrorIsTakenAsItIs) {
  PublishedMean value = stated(80, 0.5, 100);
  value.spread_kind = "se";
  EXPECT_NEAR(test_gap(ours(80, 0, 100), 0.0, value).gap.standard_error,
              std::sqrt(0.25 + 0.01 / 12), 1e-12);
  value.spread_kind = "ci95";
  EXPECT_NEAR(test_gap(ours(80, 0, 100), 0.0, value).gap.standard_error,
              std::sqrt(std::pow(0.5 / 1.959963984540054, 2) + 0.01 / 12), 1e-9);
}

// A population deviation over n draws says as much as the sample deviation that is sqrt(n / (n -
// 1)) times as large.
TEST(GapTest, APopulationDeviationIsTooSmall) {
  PublishedMean population = stated(81.5, 1.2, 10),
                sample = stated(81.5, 1.2 * std::sqrt(10 / 9.0), 10);
  population.spread_kind = "sd_ddof0_over_splits";
  const GapTest a = test_gap(ours(82.5, 0.2, 10), 1.0, population);
  const GapTest b = test_gap(ours(82.5, 0.2, 10), 1.0, sample);
  EXPECT_NEAR(a.gap.standard_error, b.gap.standard_error, 1e-12);
  EXPECT_NEAR(a.p_largest, b.p_largest, 1e-12);
}

TEST(GapTest, AnUnstatedNumberOfRunsIsDecidedOnlyWhereItDoesNotMatter) {
  PublishedMean value = stated(82.0, 0.8, 0);
  value.draws.reset();
  // Within our own error alone: agrees for any number. Beyond a single run's spread: differs for
  // any. Between: the answer depends on it.
  EXPECT_EQ(verdict_of(test_gap(ours(82.1, 0.1, 20), 0.5, value)), Verdict::kAgrees);
  EXPECT_EQ(verdict_of(test_gap(ours(84.5, 0.1, 20), 0.5, value)), Verdict::kHigher);
  EXPECT_EQ(verdict_of(test_gap(ours(79.5, 0.1, 20), 0.5, value)), Verdict::kLower);
  EXPECT_EQ(verdict_of(test_gap(ours(82.8, 0.1, 20), 0.5, value)), Verdict::kUndecided);
}

TEST(GapTest, AMissingSpreadIsOursOrUnknown) {
  PublishedMean value{99.4, std::nullopt, "none", 800, 0.1};
  const GapTest assumed = test_gap(ours(99.0, 0.1, 800), 2.0, value);
  EXPECT_NEAR(assumed.gap.standard_error, std::sqrt(0.01 + 4.0 / 800 + 0.01 / 12), 1e-12);
  EXPECT_NE(assumed.basis.find("ours assumed over 800"), std::string::npos) << assumed.basis;
  value.draws.reset();
  EXPECT_EQ(verdict_of(test_gap(ours(99.4, 0.1, 800), 2.0, value)), Verdict::kAgrees);
  EXPECT_EQ(verdict_of(test_gap(ours(50.0, 0.1, 800), 2.0, value)), Verdict::kUndecided);
}

TEST(Decide, CorrectsOverTheFamily) {
  // p = 0.02 stands alone, and not among 80 cells that all agree.
  GapTest lone;
  lone.gap.value = 1;
  lone.p_smallest = lone.p_largest = 0.02;
  GapTest dull;
  dull.p_smallest = dull.p_largest = 0.6;
  std::vector<GapTest> family(80, dull);
  family[7] = lone;
  EXPECT_EQ(verdict_of(lone), Verdict::kHigher);
  EXPECT_EQ(decide(family)[7].verdict, Verdict::kAgrees);
  EXPECT_EQ(decide(family)[7].p_corrected, 1);
  EXPECT_TRUE(decide({}).empty());
}

TEST(Decide, ATrueReplicationIsRarelyAccused) {
  // A table of 40 cells, each replicated exactly: same spread, 20 splits against 100, the published
  // mean printed to 0.1. At most 5 % of such tables may hold a false verdict.
  int accused = 0;
  constexpr int kTables = 300;
  for (int table = 0; table < kTables; ++table) {
    Stream stream(stream_key("replication"), 1, static_cast<std::uint32_t>(table));
    std::vector<GapTest> family;
    for (int i = 0; i < 40; ++i) {
      std::vector<double> mine(20), theirs(100);
      for (double& x : mine) x = 80 + 1.5 * stream.next_normal();
      for (double& x : theirs) x = 80 + 1.5 * stream.next_normal();
      const double printed = std::round(mean_of(theirs) * 10) / 10;
      family.push_back(
          test_gap(estimate(mine), sample_sd(mine), stated(printed, *sample_sd(theirs), 100)));
    }
    bool any = false;
    for (const Decision& d : decide(family)) any = any || d.verdict != Verdict::kAgrees;
    accused += any;
  }
  EXPECT_LE(accused / double{kTables}, 0.08);
  EXPECT_GE(accused / double{kTables}, 0.01);
}

TEST(Verdicts, EachHasItsOwnWords) {
  for (const Verdict a : kVerdicts) {
    EXPECT_FALSE(to_text(a).empty());
    EXPECT_FALSE(meaning_of(a).empty());
    for (const Verdict b : kVerdicts) {
      if (a != b) {
        EXPECT_NE(to_text(a), to_text(b));
      }
      if (a != b && !mark_of(a).empty()) {
        EXPECT_NE(mark_of(a), mark_of(b));
      }
    }
  }
}

}  // namespace
}  // namespace cupel
