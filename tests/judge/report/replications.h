// Replications of a published mean that are drawn instead of run: how often verdicts err, at the
// sizes of the shipped protocols and for scores of several shapes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/judge/report/build.h"
#include "cupel/judge/stats/sequential.h"

namespace cupel::made {

// How scores of one cell scatter. All have mean 0 and deviation 1.
enum class Shape {
  kNormal,
  kSkewed,       // 1 minus an exponential: a ceiling, and a long tail below it (skewness -2)
  kFewExamples,  // right answers among 19 test examples at 85 %, as a fold of MUTAG has
  kHeavyTails,   // Student's t with 3 degrees of freedom
  kCollapses,    // normal, but 3 % of the runs lie 20 deviations of the others lower
};
struct NamedShape {
  Shape shape;
  const char* name;
};
inline constexpr std::array<NamedShape, 5> kShapes = {{{Shape::kNormal, "normal"},
                                                       {Shape::kSkewed, "skewed"},
                                                       {Shape::kFewExamples, "19 test examples"},
                                                       {Shape::kHeavyTails, "heavy tails"},
                                                       {Shape::kCollapses, "3 % collapse"}}};

inline double draw_of(Shape shape, Stream& stream) {
  switch (shape) {
    case Shape::kNormal:
      return stream.next_normal();
    case Shape::kSkewed:
      return 1 + std::log(1 - stream.next_unit());
    case Shape::kFewExamples: {
      constexpr int kExamples = 19;
      constexpr double kRight = 0.85;
      int right = 0;
      for (int i = 0; i < kExamples; ++i) right += stream.next_unit() < kRight;
      return (right - kExamples * kRight) / std::sqrt(kExamples * kRight * (1 - kRight));
    }
    case Shape::kHeavyTails: {
      double squares = 0;
      for (int i = 0; i < 3; ++i) squares += std::pow(stream.next_normal(), 2);
      return stream.next_normal() / std::sqrt(squares);
    }
    case Shape::kCollapses: {
      constexpr double kShare = 0.03, kFall = 20;
      const double fall = stream.next_unit() < kShare ? kFall : 0;
      return (stream.next_normal() - fall + kShare * kFall) /
             std::sqrt(1 + kFall * kFall * kShare * (1 - kShare));
    }
  }
  return 0;
}

// A cell as a protocol asks for it, and what its publication says.
struct Replication {
  const char* name;
  SplitDesign design;
  std::vector<int> looks;  // splits; initialisations of each split where splits are shared
  int splits;              // of a shared design
  double sd;               // of runs of one split, or of splits that are drawn, in points
  double sd_of_splits;     // of shared splits, the same for both sides
  int published_draws;     // behind the published mean, on the same splits where they are shared
  const char* spread_kind;
  bool draws_stated;
  double unit;  // of the last printed digit
  int family;
  double error;  // of the gap, as the judge reckons it at the last look
};

inline std::vector<Replication> shipped_replications() {
  const SplitDesign random;
  SplitDesign stored, folds;
  stored.shared = true;
  folds.folds = 10;
  const auto error = [](double sd, double n, double m) { return sd * std::sqrt(1 / n + 1 / m); };
  const char *pooled = "sd_ddof1_pooled_runs", *over_splits = "sd_over_splits",
             *population = "sd_ddof0_over_splits", *over_inits = "sd_over_inits";
  const std::vector<int> many = look_schedule(kFewestDraws, 1, 100),
                         inits = look_schedule(1, 1, 20);
  return {
      {"pitfalls, 100 splits",
       random,
       {100},
       0,
       1.3,
       0,
       100,
       pooled,
       true,
       .1,
       79,
       error(1.3, 100, 100)},
      {"pitfalls, until decided", random, many, 0, 1.3, 0, 100, pooled, true, .1, 79,
       error(1.3, 100, 100)},
      {"pitfalls, 20 splits",
       random,
       {20},
       0,
       1.3,
       0,
       100,
       pooled,
       true,
       .1,
       79,
       error(1.3, 20, 100)},
      {"pitfalls, Planetoid split",
       stored,
       {20},
       1,
       0.8,
       0,
       20,
       over_inits,
       false,
       .1,
       12,
       error(0.8, 20, 1)},
      {"quickstart, 40 splits",
       random,
       {40},
       0,
       1.3,
       0,
       100,
       pooled,
       true,
       .1,
       3,
       error(1.3, 40, 100)},
      {"heterophily, 10 splits",
       stored,
       {1},
       10,
       1.0,
       2.0,
       10,
       over_splits,
       true,
       .01,
       100,
       error(std::sqrt(5.0), 10, 10)},
      {"heterophily, 5 inits",
       stored,
       {5},
       10,
       1.0,
       2.0,
       10,
       over_splits,
       true,
       .01,
       100,
       error(1.0, 50, 10)},
      {"heterophily, until decided", stored, inits, 10, 1.0, 2.0, 10, over_splits, true, .01, 100,
       error(1.0, 200, 10)},
      {"effectiveness, 10 folds",
       folds,
       {10},
       0,
       8.0,
       0,
       10,
       population,
       true,
       .01,
       143,
       error(8.0, 10, 10)},
      {"effectiveness, 10 x 10 folds",
       folds,
       {100},
       0,
       8.0,
       0,
       10,
       population,
       true,
       .01,
       143,
       error(8.0, 100, 10)},
  };
}

// What is concluded from one replication whose true gap is `gap`; looked at as it grows where it
// has several looks.
inline Verdict replicate(const Replication& of, Shape shape, double gap, double delta, int family,
                         std::uint32_t run) {
  Stream stream(stream_key(of.name), static_cast<std::uint32_t>(shape), run,
                static_cast<std::uint32_t>(std::lround(1000 * (gap + 1000))));
  constexpr double kMean = 80;
  std::vector<double> of_split(static_cast<std::size_t>(of.splits));
  for (double& effect : of_split) effect = of.sd_of_splits * stream.next_normal();
  const auto effect = [&](int draw) {
    return of.splits > 0 ? of_split[static_cast<std::size_t>(draw % of.splits)] : 0;
  };

  std::vector<double> theirs(static_cast<std::size_t>(of.published_draws));
  for (std::size_t i = 0; i < theirs.size(); ++i)
    theirs[i] = kMean + effect(static_cast<int>(i)) + of.sd * draw_of(shape, stream);
  const auto printed = [&](double x) { return std::round(x / of.unit) * of.unit; };
  const double n = of.published_draws;
  const bool population = std::string(of.spread_kind).starts_with("sd_ddof0");
  PublishedMean published;
  published.mean = printed(mean_of(theirs));
  published.spread = printed(*sample_sd(theirs) * (population ? std::sqrt((n - 1) / n) : 1));
  published.spread_kind = of.spread_kind;
  if (of.draws_stated) published.draws = n;
  published.unit = of.unit;

  const std::vector<Levels> levels = of.looks.size() > 1
                                         ? levels_of_looks(of.looks, levels_for(family))
                                         : std::vector<Levels>{levels_for(family)};
  ScoresBySplit scores;
  int size = 0;
  for (std::size_t k = 0; k < of.looks.size(); ++k) {
    for (; size < of.looks[k]; ++size) {
      for (int s = 0; s < std::max(1, of.splits); ++s)
        scores[of.splits > 0 ? s : size].push_back(kMean + gap + effect(s) +
                                                   of.sd * draw_of(shape, stream));
    }
    const OwnMean own = report::own_mean(scores, of.design, of.spread_kind);
    const Judgement judged = judge(test_gap(own, published), own.estimate->draws, delta, levels[k]);
    if (judged.verdict != Verdict::kUndecided) return judged.verdict;
  }
  return Verdict::kUndecided;
}

// The share of `runs` replications with this verdict.
inline double share_of(const Replication& of, Shape shape, double gap, double delta, int family,
                       Verdict verdict, int runs) {
  int count = 0;
  for (int run = 0; run < runs; ++run)
    count += replicate(of, shape, gap, delta, family, static_cast<std::uint32_t>(run)) == verdict;
  return count / static_cast<double>(runs);
}

// A delta so wide that a claim of equivalence is possible at all.
inline double wide_delta(const Replication& of) { return 4 * of.error; }

// How often a gap of +-wide_delta is called equivalent: the larger of both sides.
inline double false_equivalences(const Replication& of, Shape shape, int runs) {
  const double delta = wide_delta(of);
  return std::max(share_of(of, shape, delta, delta, of.family, Verdict::kEquivalent, runs),
                  share_of(of, shape, -delta, delta, of.family, Verdict::kEquivalent, runs));
}

// How many cells of a table without any gap are called different.
inline double false_differences(const Replication& of, Shape shape, int runs) {
  return of.family * share_of(of, shape, 0, 0, of.family, Verdict::kDifferent, runs);
}

}  // namespace cupel::made
