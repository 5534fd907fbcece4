// How often verdicts err where scores are not normal, at the sizes of the shipped protocols:
// skewed, right answers among few examples, heavy tails, runs that collapse. bench/error_rates
// prints all of it with more replications. A program in NumPy, which knows the rules from
// docs/verdicts.md alone, finds the same rates to a tenth of a percent over 20,000 replications.
#include <gtest/gtest.h>

#include "judge/report/replications.h"

namespace cupel {
namespace {

using made::NamedShape, made::Replication, made::Shape;

TEST(Shapes, HaveMeanZeroAndDeviationOne) {
  for (const NamedShape& shape : made::kShapes) {
    Stream stream(stream_key("shapes"), static_cast<std::uint32_t>(shape.shape));
    std::vector<double> draws(200'000);
    for (double& x : draws) x = made::draw_of(shape.shape, stream);
    EXPECT_NEAR(mean_of(draws), 0, 0.01) << shape.name;
    EXPECT_NEAR(*sample_sd(draws), 1, shape.shape == Shape::kHeavyTails ? 0.15 : 0.01)
        << shape.name;
  }
}

// 1000 replications: three standard errors of a share of 5 % are 2.1 %. What a long tail does to
// ten or twenty draws is 9 % where their own spread alone is asked, and 20 % with collapses. Where
// the published run is taken for one more of ours, it may have collapsed where none of ours did: by
// our own spread alone that is 15 %.
TEST(NonNormalScores, AGapOfDeltaIsRarelyCalledEquivalent) {
  for (const Replication& of : made::shipped_replications()) {
    for (const NamedShape& shape : made::kShapes) {
      EXPECT_LE(made::false_equivalences(of, shape.shape, 1000), 0.071)
          << of.name << ", " << shape.name;
    }
  }
}

// Expected number of cells called different in a table without a gap: 0.05 is allowed. By our own
// spread alone it is 0.6 for skewed scores that are looked at as they grow, and 0.35 at 20 splits.
TEST(NonNormalScores, FewTablesHaveAFalseDifference) {
  for (const Replication& of : made::shipped_replications()) {
    if (of.published_draws != 100) continue;
    // 5000 replications of 79 cells at 0.05 a table: three standard errors are 0.084.
    EXPECT_LE(made::false_differences(of, Shape::kSkewed, 5000), 0.134) << of.name;
    EXPECT_LE(made::false_differences(of, Shape::kFewExamples, 5000), 0.134) << of.name;
  }
}

// Where the published run is one more of ours, a run of it that collapsed shows in its spread
// alone. 0.05 is allowed for normal scores; by our own spread it is 5 to 8.
TEST(NonNormalScores, ACollapseInThePublishedRunIsSeldomADifference) {
  for (const Replication& of : made::shipped_replications()) {
    if (!of.design.shared || of.splits == 1 || of.looks.back() == 1) continue;
    EXPECT_LE(made::false_differences(of, Shape::kCollapses, 3000), 2.5) << of.name;
  }
}

TEST(NonNormalScores, NoGapIsStillShownEquivalent) {
  const Replication until = made::shipped_replications()[1];
  for (const NamedShape& shape : made::kShapes)
    EXPECT_GE(made::share_of(until, shape.shape, 0, 1, until.family, Verdict::kEquivalent, 300),
              0.95)
        << shape.name;
}

}  // namespace
}  // namespace cupel
