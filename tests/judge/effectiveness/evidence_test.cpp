// How well gaps and E are known: whether chance alone is told from a gap.
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/base/random.h"
#include "cupel/judge/effectiveness/pairs.h"
#include "cupel/judge/stats/tests.h"

namespace cupel::effectiveness {
namespace {

const SplitDesign kTenFolds{0, 10, 1.0 / 9};

Row row(const std::string& name, const std::vector<double>& scores) {
  Row out{name, {}};
  for (std::size_t i = 0; i < scores.size(); ++i) out.scores[static_cast<int>(i)] = {scores[i]};
  return out;
}

// Scores whose folds are alike as those of a cross-validation may be: they share a tenth of their
// variance.
Row drawn(Stream& stream, double mean, double sd, int folds) {
  const double shared = stream.next_normal();
  std::vector<double> scores;
  for (int i = 0; i < folds; ++i)
    scores.push_back(
        std::min(1.0, mean + sd * (std::sqrt(.1) * shared + std::sqrt(.9) * stream.next_normal())));
  return row("", scores);
}

struct Found {
  int contains_zero = 0, rejected = 0, covered = 0;
  double mean_e = 0;
};

// 400 data sets with the spread of MUTAG (the deviations printed for its GIN and its baselines).
Found simulate(double gap, int folds = 10, double shrink = 1) {
  constexpr int kDraws = 400;
  const double truth = pair_effectiveness(.75 + gap, .75, 2).effectiveness;
  Found out;
  for (std::uint32_t draw = 0; draw < kDraws; ++draw) {
    Stream stream(stream_key("evidence"), 1, draw);
    const auto part = [&](double own_gap, double gnn_sd, double baseline_sd) {
      Row gnn = drawn(stream, .75 + own_gap, gnn_sd * shrink, folds);
      Row baseline = drawn(stream, .75, baseline_sd * shrink, folds);
      gnn.name = "gnn";
      baseline.name = "baseline";
      return make_part({gnn}, {baseline}, 2);
    };
    const std::optional<Part> structure = part(gap, .0467, .0983),
                              attributes = part(0, .0626, .0835);
    const auto s = evaluate(*structure, structure->splits);
    const auto a = evaluate(*attributes, attributes->splits);
    const auto evidence = weigh(structure, s, attributes, a, kTenFolds);
    out.contains_zero += evidence->interval.low <= 0;
    out.rejected += evidence->p <= .05;
    out.covered += evidence->interval.low <= truth && truth <= evidence->interval.high;
    out.mean_e += (s->value.effectiveness + a->value.effectiveness) / kDraws;
    EXPECT_EQ(evidence->interval.low <= 0, evidence->p > .05) << "the interval and the test agree";
  }
  return out;
}

TEST(Evidence, WithoutAGapZeroIsInTheInterval) {
  const Found found = simulate(0);
  EXPECT_GT(found.mean_e, .02) << "E alone is above 0 by chance";
  EXPECT_GE(found.contains_zero, 360);
  EXPECT_LE(found.rejected, 28);
  EXPECT_GE(found.rejected, 4) << "a test that never rejects is none";
}

// What ten folds with this spread can tell: a gap of 10 points in 38 of 100 draws, one of 20
// in 93; with folds that spread a third as much, 10 points nearly always.
TEST(Evidence, ARealGapIsFoundWithThePowerThatIsThere) {
  const Found ten = simulate(.10);
  EXPECT_GE(ten.rejected, 90);
  EXPECT_LE(ten.rejected, 240);
  EXPECT_GE(ten.covered, 370);
  EXPECT_GE(simulate(.20).rejected, 320);
  EXPECT_GE(simulate(.10, 10, 1.0 / 3).rejected, 390);
}

// One repetition after another over the same data: the error is that of their means.
TEST(Evidence, RepetitionsFindASmallGapOfThisData) {
  std::vector<double> gnn, baseline;
  Stream stream(stream_key("repetitions"), 1);
  for (int repetition = 0; repetition < 10; ++repetition) {
    std::vector<double> folds;
    double mean = 0;
    for (int fold = 0; fold < 10; ++fold) {
      folds.push_back(.1 * stream.next_normal());
      mean += folds.back() / 10;
    }
    const double moved = .01 * stream.next_normal();
    for (const double fold : folds) {
      gnn.push_back(.78 + fold - mean + moved);
      baseline.push_back(.75);
    }
  }
  const std::optional<Part> part = make_part({row("gnn", gnn)}, {row("baseline", baseline)}, 2);
  const auto found = evaluate(*part, part->splits);
  const auto evidence = weigh(part, found, {}, {}, kTenFolds);
  EXPECT_EQ(evidence->scope, ErrorScope::kRepetitions);
  EXPECT_EQ(evidence->structure->df, 9);
  EXPECT_LT(evidence->structure->standard_error, .006);
  EXPECT_LT(evidence->p, .01);
  // Folds taken as draws would not see it.
  EXPECT_GT(weigh(part, found, {}, {}, {})->structure->standard_error, .009);
}

// One part of ten repetitions, the other of one: what is said of both is what can be said of both.
TEST(Evidence, PartsAreJudgedByWhatAllOfThemCanBeJudgedBy) {
  std::vector<double> gnn, baseline;
  for (int i = 0; i < 100; ++i) {
    gnn.push_back(.78 + .01 * (i % 7));
    baseline.push_back(.7 + .01 * (i % 3));
  }
  const std::optional<Part> all = make_part({row("g", gnn)}, {row("b", baseline)}, 2);
  gnn.resize(10);
  baseline.resize(10);
  const std::optional<Part> few = make_part({row("g", gnn)}, {row("b", baseline)}, 2);
  const auto found_all = evaluate(*all, all->splits);
  const auto found_few = evaluate(*few, few->splits);
  EXPECT_EQ(weigh(all, found_all, all, found_all, kTenFolds)->scope, ErrorScope::kRepetitions);
  const auto first = weigh(all, found_all, few, found_few, kTenFolds);
  const auto second = weigh(few, found_few, all, found_all, kTenFolds);
  EXPECT_EQ(first->scope, ErrorScope::kOtherData);
  EXPECT_EQ(second->scope, ErrorScope::kOtherData);
  EXPECT_EQ(first->structure->standard_error, second->attributes->standard_error);
  EXPECT_EQ(first->structure->df, 99);
}

// By hand: differences .1, .2, ..., 1 tenth of them; t of 9 degrees, 1.45 times the usual error.
TEST(Evidence, GapsArePairedOverSplits) {
  std::vector<double> gnn, baseline;
  for (int i = 0; i < 10; ++i) {
    baseline.push_back(i % 2 ? .2 : .7);  // much spread, in both alike
    gnn.push_back(baseline.back() + .01 * (i + 1));
  }
  const std::optional<Part> part = make_part({row("g", gnn)}, {row("b", baseline)}, 2);
  const auto found = evaluate(*part, part->splits);
  const auto evidence = weigh({}, {}, part, found, kTenFolds);
  const double error = .01 * std::sqrt(55.0 / 6 * (0.1 + 1.0 / 9));
  EXPECT_FALSE(evidence->structure.has_value());
  EXPECT_NEAR(evidence->attributes->standard_error, error, 1e-12);
  EXPECT_NEAR(evidence->attributes->interval.low, .055 - student_critical(.05, 9) * error, 1e-9);
  EXPECT_NEAR(evidence->attributes->interval.high, .055 + student_critical(.05, 9) * error, 1e-9);
  EXPECT_NEAR(evidence->p, student_p(.055 / error, 9), 1e-12);
}

// The derivative of equation 1, against small differences.
TEST(Evidence, TheIntervalOfEFollowsBothScores) {
  for (const bool ahead : {true, false}) {
    std::vector<double> one, other;
    for (int i = 0; i < 12; ++i) {
      one.push_back(.6 + 1e-4 * ((i * 5) % 12));
      other.push_back(.8 + 1e-4 * ((i * 7) % 12));
    }
    const std::optional<Part> part =
        make_part({row("g", ahead ? other : one)}, {row("b", ahead ? one : other)}, 3);
    const auto found = evaluate(*part, part->splits);
    std::vector<double> each;
    for (const int split : part->splits)
      each.push_back(evaluate(*part, std::vector<int>{split})->value.effectiveness);
    const Estimate direct = estimate(each);
    const auto evidence = weigh(part, found, {}, {}, {});
    const double half = (evidence->interval.high - evidence->interval.low) / 2;
    EXPECT_NEAR(half / (student_critical(.05, 11) * *direct.standard_error), 1, 1e-2);
    EXPECT_NEAR((evidence->interval.high + evidence->interval.low) / 2, found->value.effectiveness,
                1e-12);
  }
}

// The best of six rows of noise is ahead of the baseline by being the best of six.
TEST(Evidence, TheBestOfSeveralPaysForTheChoice) {
  int rejected = 0;
  for (std::uint32_t draw = 0; draw < 400; ++draw) {
    Stream stream(stream_key("several"), 1, draw);
    std::vector<Row> rows;
    for (int i = 0; i < 6; ++i) {
      rows.push_back(drawn(stream, .7, .05, 10));
      rows.back().name = "g" + std::to_string(i);
    }
    Row baseline = drawn(stream, .7, .02, 10);
    baseline.name = "b";
    const std::optional<Part> part = make_part(rows, {baseline}, 2);
    const auto found = evaluate(*part, part->splits);
    rejected += weigh(part, found, {}, {}, kTenFolds)->p <= .05;
  }
  EXPECT_LE(rejected, 28);
}

TEST(Evidence, EqualScoresAreNoGapAndOneSplitIsNoEvidence) {
  const std::vector<double> scores = {.7, .8, .9, .6, .75, .7, .8, .9, .6, .75};
  const std::optional<Part> part = make_part({row("g", scores)}, {row("b", scores)}, 2);
  const auto evidence = weigh(part, evaluate(*part, part->splits), {}, {}, kTenFolds);
  EXPECT_EQ(evidence->p, 1);
  EXPECT_EQ(evidence->interval.low, 0);
  EXPECT_EQ(evidence->interval.high, 0);
  const std::optional<Part> one = make_part({row("g", {.7})}, {row("b", {.6})}, 2);
  EXPECT_FALSE(weigh(one, evaluate(*one, one->splits), {}, {}, kTenFolds).has_value());
}

// A split with fewer runs than others weighs as much as its runs do in the mean.
TEST(Evidence, MeansAreThoseOfAllRuns) {
  Row gnn = row("g", {.7, .8, .9, .6});
  gnn.scores[1] = {.8, .85, .6};
  const std::optional<Part> part = make_part({gnn}, {row("b", {.5, .55, .5, .6})}, 2);
  const auto found = evaluate(*part, part->splits);
  EXPECT_NEAR(found->gnn_score, (.7 + .8 + .85 + .6 + .9 + .6) / 6, 1e-12);
  const auto evidence = weigh(part, found, {}, {}, {});
  EXPECT_NEAR((evidence->structure->interval.low + evidence->structure->interval.high) / 2,
              found->value.gap, 1e-12);
}

}  // namespace
}  // namespace cupel::effectiveness
