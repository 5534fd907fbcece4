// Verdicts: what they rest on by hand, and how often they err, both ways, at the sizes of the
// protocols that are shipped.
#include "cupel/judge/report/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cupel/base/random.h"

namespace cupel {
namespace {

OwnMean ours(double mean, double error, int draws, double sd = 1) {
  return {Estimate{mean, error, static_cast<double>(draws - 1), draws}, sd};
}

PublishedMean stated(double mean, double spread, double draws) {
  return {mean, spread, "sd_ddof1_pooled_runs", draws, 0.1};
}

Verdict verdict_of(const OwnMean& own, const PublishedMean& published, double delta = 1,
                   int family = 1) {
  return judge(test_gap(own, published), own.estimate->draws, delta, levels_for(family)).verdict;
}

TEST(GapTest, IsWelchWithTheRoundingOfThePrintedMean) {
  const GapTest test = test_gap(ours(81.9, 0.13, 100), stated(81.5, 1.3, 100));
  const double variance = 0.13 * 0.13 + 1.3 * 1.3 / 100 + 0.1 * 0.1 / 12;
  EXPECT_NEAR(test.gap.value, 0.4, 1e-12);
  EXPECT_NEAR(test.gap.standard_error, std::sqrt(variance), 1e-12);
  // scipy.stats.ttest_ind_from_stats(81.9, 1.3, 100, 81.5, 1.3, 100) is 0.0307 without rounding
  EXPECT_NEAR(test.gap.p, 0.0307, 0.004);
}

TEST(GapTest, WithoutAnySpreadOnlyRoundingIsForgiven) {
  EXPECT_EQ(verdict_of(ours(20, 0, 100), stated(20.0, 0, 100), 0.1), Verdict::kEquivalent);
  EXPECT_EQ(verdict_of(ours(20.04, 0, 100), stated(20.0, 0, 100), 0.1), Verdict::kEquivalent);
  EXPECT_EQ(verdict_of(ours(20.2, 0, 100), stated(20.0, 0, 100), 0.1), Verdict::kDifferent);
  EXPECT_EQ(verdict_of(ours(19.8, 0, 100), stated(20.0, 0, 100), 0.1), Verdict::kDifferent);
}

TEST(GapTest, AStandardErrorIsTakenAsItIs) {
  PublishedMean value = stated(80, 0.5, 100);
  value.spread_kind = "se";
  EXPECT_NEAR(test_gap(ours(80, 0, 100), value).gap.standard_error, std::sqrt(0.25 + 0.01 / 12),
              1e-12);
  value.spread_kind = "ci95";
  EXPECT_NEAR(test_gap(ours(80, 0, 100), value).gap.standard_error,
              std::sqrt(std::pow(0.5 / 1.959963984540054, 2) + 0.01 / 12), 1e-9);
}

// A hundred splits of twenty runs that hardly differ within a split, sd 1.3 between them. A
// bootstrap that takes the 2,000 for independent knows their mean to 1.3 / sqrt(2000); it is known
// to 0.13.
TEST(GapTest, ABootstrapOfPooledRunsKnowsNothingOfTheirSplits) {
  const double z = 1.959963984540054, spread = z * 1.3 / std::sqrt(2000);
  PublishedMean value = {80, spread, "ci95_bootstrap_pooled_runs", 100, 0};
  value.runs = 2000;
  EXPECT_NEAR(test_gap(ours(80, 0, 100), value).gap.standard_error, 0.13, 1e-9);
  value.runs = 100;  // one of each split
  EXPECT_NEAR(test_gap(ours(80, 0, 100), value).gap.standard_error, spread / z, 1e-9);
  value.runs.reset();
  EXPECT_NEAR(test_gap(ours(80, 0, 100), value).gap.standard_error, spread / z, 1e-9);
  value.runs = 2000;
  value.spread_kind = "ci95_bootstrap_over_inits";
  EXPECT_NEAR(test_gap(ours(80, 0, 100), value).gap.standard_error, spread / z, 1e-9);
}

// A population deviation over n draws says as much as the sample deviation that is sqrt(n / (n -
// 1)) times as large.
TEST(GapTest, APopulationDeviationIsTooSmall) {
  PublishedMean population = stated(81.5, 1.2, 10),
                sample = stated(81.5, 1.2 * std::sqrt(10 / 9.0), 10);
  population.spread_kind = "sd_ddof0_over_splits";
  const GapTest a = test_gap(ours(82.5, 0.2, 10), population);
  const GapTest b = test_gap(ours(82.5, 0.2, 10), sample);
  EXPECT_NEAR(a.gap.standard_error, b.gap.standard_error, 1e-12);
  EXPECT_NEAR(a.gap.p, b.gap.p, 1e-12);
}

TEST(GapTest, AnUnstatedNumberOfRunsIsTakenForOne) {
  PublishedMean value = stated(82.0, 0.2, 0);
  value.draws.reset();
  EXPECT_NEAR(test_gap(ours(82, 0.1, 20), value).gap.standard_error,
              std::sqrt(0.01 + 0.04 + 0.01 / 12), 1e-12);
  EXPECT_EQ(verdict_of(ours(82.1, 0.1, 20), value), Verdict::kEquivalent);
  EXPECT_EQ(verdict_of(ours(84.5, 0.1, 20), value), Verdict::kDifferent);
  EXPECT_EQ(verdict_of(ours(82.9, 0.1, 20), value, 1, 100000), Verdict::kUndecided);
}

TEST(GapTest, AMissingSpreadIsOursOrUnknown) {
  PublishedMean value{99.4, std::nullopt, "none", 800, 0.1};
  const GapTest assumed = test_gap(ours(99.0, 0.1, 800, 2.0), value);
  EXPECT_NEAR(assumed.gap.standard_error, std::sqrt(0.01 + 4.0 / 800 + 0.01 / 12), 1e-12);
  EXPECT_NE(assumed.basis.find("ours assumed over 800"), std::string::npos) << assumed.basis;
  // Nothing is known of its error: whatever the gap, nothing is shown.
  value.draws.reset();
  EXPECT_EQ(verdict_of(ours(99.4, 0.1, 800), value), Verdict::kUndecided);
  EXPECT_EQ(verdict_of(ours(50.0, 0.1, 800), value), Verdict::kUndecided);
}

TEST(GapTest, OfOurOwnRepetitionsThePublishedRunIsOneMore) {
  // Twenty repetitions with a standard deviation of 0.6: their mean and one more.
  OwnMean own = ours(70, 0.6 / std::sqrt(20.0), 20);
  own.repetitions = 20;
  own.within = 25;
  own.basis = "repetitions";
  const GapTest test = test_gap(own, {71, 5.0, "sd_ddof0_over_splits", 10, 0.01});
  EXPECT_NEAR(test.gap.standard_error, 0.6 * std::sqrt(1 + 1 / 20.0), 1e-4);
  EXPECT_NEAR(test.gap.df, 19, 0.1);
}

// Ten draws that hardly stray are no proof that draws hardly stray, where a hundred did.
TEST(GapTest, ManyPublishedDrawsSpeakForOursIfOursAreFewAndStrayLess) {
  const auto error = [](double sd, int draws, double spread, double published_draws) {
    const GapTest test =
        test_gap(ours(81, sd / std::sqrt(draws), draws, sd), stated(80, spread, published_draws));
    return std::pair(test.gap.standard_error, test.gap.df);
  };
  // The published variance for both means: 1.9^2 (1/10 + 1/100), and the rounding's.
  EXPECT_NEAR(error(0.8, 10, 1.9, 100).first, std::sqrt(1.9 * 1.9 * 0.11 + 0.01 / 12), 1e-12);
  EXPECT_NEAR(error(0.8, 10, 1.9, 100).second, 99, 0.5);
  EXPECT_NEAR(error(0, 10, 1.9, 100).first, std::sqrt(1.9 * 1.9 * 0.11 + 0.01 / 12), 1e-12);
  // Ours stray further, or are as many: each side has its own.
  EXPECT_NEAR(error(2.5, 10, 1.9, 100).first, std::sqrt(0.625 + 0.0361 + 0.01 / 12), 1e-12);
  EXPECT_NEAR(error(0.8, 100, 1.9, 100).first, std::sqrt(0.0064 + 0.0361 + 0.01 / 12), 1e-12);
  // Our mean's error is less than that of a split a run: it is scaled, not replaced.
  const GapTest pooled = test_gap(ours(81, 0.1, 20, 1.0), stated(80, 2.0, 100));
  EXPECT_NEAR(pooled.gap.standard_error, std::sqrt(0.04 + 0.04 + 0.01 / 12), 1e-12);
  EXPECT_NE(pooled.basis.find("taken for ours too"), std::string::npos) << pooled.basis;
}

TEST(Judge, HandlesTheThreeOutcomesByTheirIntervals) {
  // se 0.5, df 99: t(0.95) = 1.6604, t(0.975) = 1.9842 (scipy.stats.t.ppf).
  const auto judged = [](double gap, double delta, int family) {
    return judge(test_gap(ours(80 + gap, 0.5, 100), {80, 0.0, "se", 100.0, 0}), 100, delta,
                 levels_for(family));
  };
  EXPECT_NEAR(judged(0.1, 1, 1).smallest_delta, 0.1 + 1.6604 * 0.5, 1e-4);
  EXPECT_NEAR(judged(0.1, 1, 1).interval.low, 0.1 - 1.6604 * 0.5, 1e-4);
  EXPECT_EQ(judged(0.1, 1, 1).verdict, Verdict::kEquivalent);
  EXPECT_EQ(judged(0.3, 1, 1).verdict, Verdict::kUndecided);
  EXPECT_EQ(judged(1.1, 1, 1).verdict, Verdict::kDifferent);
  EXPECT_EQ(judged(1.1, 1, 10).verdict, Verdict::kUndecided);  // p 0.030, corrected 0.30
  EXPECT_NEAR(judged(1.1, 1, 10).p_corrected, 0.302, 2e-3);
  // A gap that is real and smaller than delta is equivalent.
  EXPECT_EQ(judged(1.1, 2, 1).verdict, Verdict::kEquivalent);
}

TEST(Judge, ConcludesNothingBelowTenDraws) {
  for (const double gap : {0.0, 50.0}) {
    EXPECT_EQ(verdict_of(ours(80 + gap, 0.01, 9), stated(80, 0.1, 100)), Verdict::kUndecided);
    EXPECT_NE(verdict_of(ours(80 + gap, 0.01, 10), stated(80, 0.1, 100)), Verdict::kUndecided);
  }
}

TEST(Judge, PredictsTheDrawsThatDecide) {
  // Our error 2 / sqrt(n), theirs 0.2: at gap 0 and delta 1 the interval fits when
  // t sqrt(4/n + 0.04) <= 1: at 14 t is 1.771 and that is 1.011, at 15 it is 1.761 and 0.975.
  const DesignError error{4, 0.04};
  EXPECT_EQ(draws_to_decide(0, error, 1, 0.05, 0.05), 15);
  // At gap 0.9 the other way is nearer: at 26 t is 2.060 and t sqrt(4/n + 0.04) is 0.907, at 27 it
  // is 2.056 and 0.892.
  EXPECT_EQ(draws_to_decide(0.9, error, 1, 0.05, 0.05), 27);
  // Their error alone is too large for either.
  EXPECT_FALSE(draws_to_decide(0.5, {4, 0.5}, 1, 0.05, 0.05).has_value());
  // Against every number in turn, with little and with nearly all of the room taken.
  for (const double fixed : {0.0, 0.05, 0.36}) {
    for (const double per_draw : {0.0, 0.01, 0.5, 4.0, 60.0, 300.0}) {
      const auto decides = [&](double n) {
        const double critical = student_critical(0.1, n - 1);
        return per_draw / n + fixed <= 1 / (critical * critical);
      };
      double n = 2;
      while (!decides(n)) ++n;
      EXPECT_EQ(draws_to_decide(0, {per_draw, fixed}, 1, 0.05, 0.05), n) << per_draw << fixed;
    }
  }
}

// One replication: `draws` means of ours with deviation `sd` around `gap`, a published mean of
// `published_draws` around 0, printed to 0.1.
struct Size {
  const char* what;
  int draws;
  double published_draws, sd;
  int family;
};
const Size kSizes[] = {{"Pitfalls, Cora, 20 splits", 20, 100, 1.3, 77},
                       {"Pitfalls, PubMed, 100 splits", 100, 100, 2.3, 77},
                       {"heterophily, minesweeper", 10, 10, 0.5, 100},
                       {"effectiveness, ten folds", 10, 10, 4.0, 108}};

Judgement simulate(const Size& size, double gap, double delta, Stream& stream) {
  std::vector<double> mine(static_cast<std::size_t>(size.draws)),
      theirs(static_cast<std::size_t>(size.published_draws));
  for (double& x : mine) x = 80 + gap + size.sd * stream.next_normal();
  for (double& x : theirs) x = 80 + size.sd * stream.next_normal();
  const double printed = std::round(mean_of(theirs) * 10) / 10;
  const OwnMean own{estimate(mine), sample_sd(mine)};
  return judge(test_gap(own, stated(printed, *sample_sd(theirs), size.published_draws)), size.draws,
               delta, levels_for(size.family));
}

double true_error(const Size& size) {
  return size.sd * std::sqrt(1.0 / size.draws + 1.0 / size.published_draws);
}

double share(const Size& size, double gap, double delta, Verdict verdict, int runs) {
  int count = 0;
  for (int run = 0; run < runs; ++run) {
    Stream stream(stream_key(size.what), static_cast<std::uint32_t>(1000 * (gap + 10)),
                  static_cast<std::uint32_t>(run));
    count += simulate(size, gap, delta, stream).verdict == verdict;
  }
  return count / static_cast<double>(runs);
}

// 4000 runs: three standard errors of a share of 5 % are 1.0 %.
TEST(ErrorRates, AGapOfDeltaIsRarelyCalledEquivalent) {
  for (const Size& size : kSizes) {
    const double delta = 4 * true_error(size);  // wide enough that the claim is possible at all
    for (const double side : {1.0, -1.0}) {
      const double wrong = share(size, side * delta, delta, Verdict::kEquivalent, 4000);
      EXPECT_LE(wrong, 0.06) << size.what;
      EXPECT_GE(wrong, 0.03) << size.what << ": a test that hardly errs has no power";
    }
  }
}

TEST(ErrorRates, NoGapIsCalledDifferentOnceInTwentyTables) {
  // Per cell the level is 5 % over the family; of 4000 runs at 0.0006 to 0.0025 few may be wrong.
  for (const Size& size : kSizes) {
    Size alone = size;
    alone.family = 1;
    EXPECT_LE(share(size, 0, 0, Verdict::kDifferent, 4000), 2 * kAlpha / size.family + 0.001);
    EXPECT_NEAR(share(alone, 0, 0, Verdict::kDifferent, 4000), kAlpha, 0.012) << size.what;
  }
}

TEST(ErrorRates, AGapOfTheDetectableSizeIsFoundFourTimesInFive) {
  for (const Size& size : kSizes) {
    const double n = size.draws, m = size.published_draws;
    const double df = std::pow(1 / n + 1 / m, 2) /
                      (1 / (n * n * (n - 1)) + 1 / (m * m * (m - 1)));  // Welch, equal spreads
    const double gap =
        detectable_difference(true_error(size), df, levels_for(size.family).different, kPower);
    EXPECT_NEAR(share(size, gap, 0.1, Verdict::kDifferent, 2000), kPower, 0.07) << size.what;
  }
}

TEST(ErrorRates, NoGapIsShownEquivalentWhereTheErrorAllowsIt) {
  // With delta at 2.93 errors both one-sided tests pass in 80 % (2 Phi(2.93 - 1.645) - 1).
  for (const Size& size : kSizes) {
    EXPECT_NEAR(share(size, 0, 2.93 * true_error(size), Verdict::kEquivalent, 2000), kPower, 0.08)
        << size.what;
  }
}

TEST(ErrorRates, ThreeSplitsShowNothing) {
  Size size{"three splits", 3, 10, 5.0, 16};
  for (const double gap : {0.0, 20.0, 60.0}) {
    EXPECT_EQ(share(size, gap, 1, Verdict::kUndecided, 200), 1) << gap;
  }
}

TEST(Verdicts, EachHasItsOwnWordsAndMark) {
  for (const Verdict a : kVerdicts) {
    EXPECT_FALSE(to_text(a).empty());
    for (const Verdict b : kVerdicts) {
      if (a == b) continue;
      EXPECT_NE(to_text(a), to_text(b));
      if (!mark_of(a, 1).empty()) {
        EXPECT_NE(mark_of(a, 1), mark_of(b, 1));
      }
    }
  }
  EXPECT_NE(mark_of(Verdict::kDifferent, 1), mark_of(Verdict::kDifferent, -1));
}

}  // namespace
}  // namespace cupel
