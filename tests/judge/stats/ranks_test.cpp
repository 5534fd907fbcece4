#include "cupel/judge/stats/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cupel/base/random.h"

namespace cupel {
namespace {

// Three competitors on two data sets, by hand.
//   data set 0, split 0: 0.8 0.4 0.6   relative 1 .5 .75      rank 1 3 2
//               split 1: 0.5 0.5 0.4   relative 1 1 .8        rank 1.5 1.5 3
//   data set 1, split 7: 0.2 0.4 (no)  relative .5 1          rank 2 1
const std::vector<Contestant> kByHand = {
    {true, {{{0, 0.8}, {1, 0.5}}, {{7, 0.2}}}},
    {true, {{{0, 0.4}, {1, 0.5}}, {{7, 0.4}}}},
    {true, {{{0, 0.6}, {1, 0.4}}, {}}},
};

TEST(Standings, ByHand) {
  const std::vector<Standing> s = standings(kByHand);
  EXPECT_NEAR(s[0].relative->mean, (1.0 + 0.5) / 2, 1e-12);
  EXPECT_NEAR(s[1].relative->mean, (0.75 + 1.0) / 2, 1e-12);
  EXPECT_NEAR(s[2].relative->mean, 0.775, 1e-12);  // over its only data set
  EXPECT_NEAR(s[0].rank->mean, (1.25 + 2) / 2, 1e-12);
  EXPECT_NEAR(s[1].rank->mean, (2.25 + 1) / 2, 1e-12);
  EXPECT_NEAR(s[2].rank->mean, 2.5, 1e-12);
  EXPECT_EQ(s[0].splits, (std::vector<std::vector<int>>{{0, 1}, {7}}));
  // One split on data set 1 says nothing of its spread; the third model has none there.
  EXPECT_FALSE(s[0].rank->standard_error.has_value());
  EXPECT_NEAR(*s[2].rank->standard_error, 0.5, 1e-12);
}

TEST(Standings, ASplitThatACompetitorLacksDoesNotCount) {
  std::vector<Contestant> contestants = kByHand;
  contestants[2].scores[0].erase(0);
  const std::vector<Standing> s = standings(contestants);
  EXPECT_EQ(s[0].splits, (std::vector<std::vector<int>>{{1}, {7}}));
  EXPECT_NEAR(s[0].rank->mean, (1.5 + 2) / 2, 1e-12);
}

TEST(Standings, AGuestChangesNobodyAndIsPlacedAmongThem) {
  std::vector<Contestant> contestants = kByHand;
  contestants.push_back({false, {{{0, 0.9}, {1, 0.5}}, {{8, 0.9}}}});
  const std::vector<Standing> with = standings(contestants), without = standings(kByHand);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(with[i].relative->mean, without[i].relative->mean);
    EXPECT_EQ(with[i].rank->mean, without[i].rank->mean);
  }
  EXPECT_NEAR(with[3].relative->mean, (0.9 / 0.8 + 1) / 2, 1e-12);
  EXPECT_NEAR(with[3].rank->mean, (1 + 2) / 2.0, 1e-12);  // tied with two: first of 1, 2, 3
  EXPECT_EQ(with[3].splits, (std::vector<std::vector<int>>{{0, 1}, {}}));
}

TEST(Standings, NothingFromNothing) {
  EXPECT_TRUE(standings({}).empty());
  const std::vector<Standing> s = standings({{true, {{}}}, {false, {{{0, 0.5}}}}});
  EXPECT_FALSE(s[0].relative.has_value());
  EXPECT_FALSE(s[1].relative.has_value());  // nobody to compare with
}

TEST(Standings, AllZeroScoresShareTheFirstPlace) {
  const std::vector<Standing> s = standings({{true, {{{0, 0.0}}}}, {true, {{{0, 0.0}}}}});
  EXPECT_EQ(s[0].relative->mean, 1);
  EXPECT_EQ(s[1].rank->mean, 1.5);
}

// Three runs of each have as many hits in all, 137 of 264.
TEST(Standings, MeansThatOnlyRoundingTellsApartAreTies) {
  const std::vector<double> a = {100 * 51 / 88.0, 100 * 43 / 88.0, 100 * 43 / 88.0},
                            b = {100 * 47 / 88.0, 100 * 46 / 88.0, 100 * 44 / 88.0};
  ASSERT_NE(mean_of(a), mean_of(b));
  for (const bool turned : {false, true}) {
    const MetricScale scale = turned ? kPlaces : kFractions;
    const std::vector<Standing> s = standings(
        {{true, {{{0, mean_of(a)}}}}, {true, {{{0, mean_of(b)}}}}, {false, {{{0, mean_of(a)}}}}},
        {scale});
    EXPECT_EQ(s[0].rank->mean, 1.5);
    EXPECT_EQ(s[1].rank->mean, 1.5);
    EXPECT_EQ(s[2].rank->mean, 2);
  }
}

// A full design against the plain double loop of the definition.
TEST(Standings, AgreeWithTheDefinitionOnAFullDesign) {
  constexpr int kModels = 5, kDatasets = 3, kSplits = 20;
  std::vector<Contestant> contestants(kModels);
  Stream stream(stream_key("design"), 1);
  for (auto& c : contestants) {
    c.scores.resize(kDatasets);
    for (auto& scores : c.scores) {
      // Few distinct values, so that ties are common.
      for (int s = 0; s < kSplits; ++s) scores[s] = 0.5 + 0.1 * stream.next_below(4);
    }
  }
  const std::vector<Standing> result = standings(contestants);
  double rank_total = 0;
  for (std::size_t m = 0; m < kModels; ++m) {
    double relative = 0, rank = 0;
    for (std::size_t d = 0; d < kDatasets; ++d) {
      for (int s = 0; s < kSplits; ++s) {
        const double mine = contestants[m].scores[d].at(s);
        double best = 0, place = 0.5;  // own tie with itself counts half, so that a win is 1
        for (const auto& other : contestants) {
          const double theirs = other.scores[d].at(s);
          best = std::max(best, theirs);
          place += theirs > mine ? 1 : theirs == mine ? 0.5 : 0;
        }
        relative += mine / best / (kDatasets * kSplits);
        rank += place / (kDatasets * kSplits);
      }
    }
    EXPECT_NEAR(result[m].relative->mean, relative, 1e-12);
    EXPECT_NEAR(result[m].rank->mean, rank, 1e-12);
    rank_total += result[m].rank->mean;
  }
  EXPECT_NEAR(rank_total, kModels * (kModels + 1) / 2.0, 1e-9);
}

}  // namespace
}  // namespace cupel
