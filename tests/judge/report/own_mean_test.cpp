// The error of a mean, by the way its splits came about, against plain formulas and simulation.
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/random.h"
#include "cupel/judge/report/build.h"

namespace cupel::report {
namespace {

SplitDesign folds_of(int folds) {
  SplitDesign design;
  design.folds = folds;
  return design;
}

SplitDesign stored() {
  SplitDesign design;
  design.shared = true;
  return design;
}

TEST(OwnMean, OfRandomSplitsIsClusteredBySplit) {
  const ScoresBySplit scores = {{0, {80, 82}}, {1, {84, 84}}, {2, {79, 79}}};
  const OwnMean own = own_mean(scores, {}, "sd_ddof1_pooled_runs");
  EXPECT_NEAR(own.estimate->mean, 488 / 6.0, 1e-12);
  // numpy.std([81, 84, 79], ddof=1) / sqrt(3)
  EXPECT_NEAR(*own.estimate->standard_error, 2.5166114784235836 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(own.repetitions, 0);
}

TEST(OwnMean, HasTheSpreadOfThePublishedKind) {
  const ScoresBySplit scores = {{0, {80, 82}}, {1, {84, 84}}, {2, {79, 79}}};
  EXPECT_NEAR(*own_mean(scores, {}, "sd_over_splits").sd, 2.5166114784235836, 1e-12);
  EXPECT_NEAR(*own_mean(scores, {}, "sd_ddof0_over_splits").sd, 2.0548046676563256, 1e-12);
  EXPECT_NEAR(*own_mean(scores, {}, "none").sd, 2.3380903889000244, 1e-12);  // of all six
}

TEST(OwnMean, OfOneCrossValidationIsOverItsFolds) {
  ScoresBySplit scores;
  for (int fold = 0; fold < 10; ++fold) scores[fold] = {70.0 + fold};
  const OwnMean one = own_mean(scores, folds_of(10), "");
  EXPECT_NEAR(*one.estimate->standard_error, 3.0276503540974917 / std::sqrt(10.0), 1e-12);
  EXPECT_EQ(one.estimate->draws, 10);
  // A second repetition is no second set of ten draws: the error is still that of one.
  for (int fold = 0; fold < 10; ++fold) scores[10 + fold] = {70.0 + fold};
  const OwnMean two = own_mean(scores, folds_of(10), "");
  EXPECT_NEAR(*two.estimate->standard_error, *one.estimate->standard_error, 1e-12);
  EXPECT_EQ(two.estimate->draws, 10);
}

TEST(OwnMean, OfTenRepetitionsIsOverThem) {
  ScoresBySplit scores;
  std::vector<double> means;
  for (int r = 0; r < 12; ++r) {
    double sum = 0;
    for (int fold = 0; fold < 5; ++fold) {
      const double score = 60 + 3 * fold + 0.1 * ((r * 7) % 12);
      scores[5 * r + fold] = {score};
      sum += score;
    }
    means.push_back(sum / 5);
  }
  const OwnMean own = own_mean(scores, folds_of(5), "sd_ddof0_over_splits");
  EXPECT_NEAR(*own.estimate->standard_error, *sample_sd(means) / std::sqrt(12.0), 1e-9);
  EXPECT_EQ(own.estimate->draws, 12);
  EXPECT_EQ(own.repetitions, 12);
}

TEST(OwnMean, ARepetitionThatLacksAFoldIsNoDraw) {
  ScoresBySplit scores;
  for (int split = 0; split < 50; ++split) scores[split] = {60 + 3.0 * (split % 5) + split / 5};
  const OwnMean whole = own_mean(scores, folds_of(5), "sd_over_splits");
  scores[50] = {99};
  const OwnMean more = own_mean(scores, folds_of(5), "sd_over_splits");
  EXPECT_EQ(more.estimate->mean, whole.estimate->mean);
  EXPECT_EQ(more.estimate->standard_error, whole.estimate->standard_error);
  EXPECT_EQ(more.estimate->draws, 10);
  EXPECT_EQ(more.runs, 50);
  EXPECT_EQ(more.within, whole.within);
  EXPECT_NE(more.basis.find("incomplete ones are left out"), std::string::npos) << more.basis;
  EXPECT_EQ(whole.basis.find("left out"), std::string::npos) << whole.basis;
  // Nine complete ones are too few, and as many splits again would not make them ten.
  scores.erase(50);
  scores.erase(7);
  const OwnMean fewer = own_mean(scores, folds_of(5), "sd_over_splits");
  EXPECT_EQ(fewer.repetitions, 0);
  EXPECT_EQ(fewer.sharper, "--splits 55");
}

TEST(OwnMean, OfStoredSplitsIsOverInitialisationsWhereThereAreSome) {
  // Splits far apart, runs within a split close: only the latter is error.
  const ScoresBySplit scores = {{0, {60, 61, 62}}, {1, {70, 72, 71}}, {2, {80, 80, 83}}};
  const OwnMean own = own_mean(scores, stored(), "sd_over_splits");
  const double variance = (1.0 + 1.0 + 3.0) / 3 / 9;
  EXPECT_NEAR(*own.estimate->standard_error, std::sqrt(variance), 1e-12);
  EXPECT_EQ(own.estimate->draws, 9);
  EXPECT_EQ(own.repetitions, 3);
  EXPECT_NEAR(own.within, 5.0 / 3, 1e-12);
  EXPECT_NEAR(own.between, 100 - 5.0 / 9, 1e-12);
  EXPECT_EQ(own.sharper, "");
  const OwnMean single = own_mean({{0, {60}}, {1, {70}}, {2, {80}}}, stored(), "sd_over_splits");
  EXPECT_NEAR(*single.estimate->standard_error, 10 / std::sqrt(3.0), 1e-12);
  EXPECT_EQ(single.repetitions, 0);
  EXPECT_EQ(single.sharper, "--inits 2 or more");
}

// One split says how far initialisations stray, and of a split that was drawn at random that is
// nothing of how far splits do.
TEST(OwnMean, OfOneSplitIsOverInitialisationsOnlyWhereThePublishedRunsHadIt) {
  const ScoresBySplit scores = {{0, {80, 81, 82, 81}}};
  for (const char* kind : {"sd_over_inits", "ci95_bootstrap_over_inits", "se_over_inits",
                           "sd_ddof1_pooled_runs", "none"}) {
    EXPECT_EQ(own_mean(scores, stored(), kind).estimate->draws, 4) << kind;
    EXPECT_NEAR(*own_mean(scores, stored(), kind).estimate->standard_error, std::sqrt(2.0 / 3) / 2,
                1e-12);
    EXPECT_EQ(own_mean(scores, {}, kind).estimate->draws, 1) << kind;
    EXPECT_FALSE(own_mean(scores, {}, kind).estimate->standard_error) << kind;
  }
}

// A published run on stored splits strays from ours by initialisations alone: with the error over
// splits the same test would hardly ever find a difference of two points.
TEST(OwnMean, SharedSplitsMakeTheTestSharp) {
  int found = 0, false_alarms = 0;
  constexpr int kRuns = 400;
  for (int run = 0; run < kRuns; ++run) {
    Stream stream(stream_key("shared"), 1, static_cast<std::uint32_t>(run));
    std::vector<double> theirs;
    ScoresBySplit scores;
    for (int split = 0; split < 10; ++split) {
      const double level = 40 + 4 * stream.next_normal();
      theirs.push_back(level + stream.next_normal());
      for (int init = 0; init < 4; ++init) scores[split].push_back(level + stream.next_normal());
    }
    const OwnMean own = own_mean(scores, stored(), "sd_over_splits");
    const auto differs = [&](double published) {
      const GapTest test =
          test_gap(own, {published, *sample_sd(theirs), "sd_over_splits", 10, 0.01});
      return test.gap.p <= kAlpha;
    };
    found += differs(mean_of(theirs) + 2);
    false_alarms += differs(mean_of(theirs));
  }
  EXPECT_GE(found, 0.97 * kRuns);
  // Three standard errors above; where the published spread is by chance the larger, fewer.
  EXPECT_LE(false_alarms / double{kRuns}, kAlpha + 0.033);
  EXPECT_GE(false_alarms, 4);
}

// A published run that collapsed on one of ten splits shows in the published spread, and a gap of
// two points is then no difference; nor is it hidden where the spreads agree.
TEST(OwnMean, APublishedRunThatStrayedFurtherHasMoreError) {
  Stream stream(stream_key("further"), 1);
  ScoresBySplit scores;
  for (int split = 0; split < 10; ++split) {
    const double level = 40 + 3 * stream.next_normal();
    for (int init = 0; init < 5; ++init) scores[split].push_back(level + stream.next_normal());
  }
  const OwnMean own = own_mean(scores, stored(), "sd_over_splits");
  const double mean = own.estimate->mean, spread = std::sqrt(own.between + own.within);
  const GapTest alike = test_gap(own, {mean - 2, spread, "sd_over_splits", 10, 0.01});
  EXPECT_LE(alike.gap.p, 0.001);
  const double collapsed = std::sqrt(spread * spread + 20.0 * 20.0 / 10);
  const GapTest further = test_gap(own, {mean - 2, collapsed, "sd_over_splits", 10, 0.01});
  EXPECT_GE(further.gap.p, 0.2);
  const double excess = collapsed * collapsed - spread * spread;
  EXPECT_NEAR(std::pow(further.gap.standard_error, 2) - std::pow(alike.gap.standard_error, 2),
              excess / 10, 1e-9);
  EXPECT_NE(further.basis.find("strayed further"), std::string::npos) << further.basis;
}

}  // namespace
}  // namespace cupel::report
