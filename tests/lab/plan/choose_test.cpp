#include "cupel/lab/plan/choose.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace cupel {
namespace {

const std::set<RunPlace> kTwoRuns = {{0, 0}, {1, 0}};

TEST(Choose, TakesTheLargestMeanAndTheFirstOfEquals) {
  const Chosen chosen = choose({{"a", {{{0, 0}, 0.5}, {{1, 0}, 0.7}}},
                                {"b", {{{0, 0}, 0.9}, {{1, 0}, 0.5}}},
                                {"c", {{{0, 0}, 0.5}, {{1, 0}, 0.9}}}},
                               kTwoRuns);
  EXPECT_EQ(chosen.index, 1);
  EXPECT_DOUBLE_EQ(*chosen.means[0], 0.6);
  EXPECT_DOUBLE_EQ(*chosen.means[2], 0.7);
  EXPECT_EQ(chosen.complete, (std::vector<bool>{true, true, true}));
}

TEST(Choose, TakesTheSmallestWhereSmallerIsBetter) {
  const std::vector<Candidate> candidates = {{"a", {{{0, 0}, 5}, {{1, 0}, 9}}},
                                             {"b", {{{0, 0}, 7}, {{1, 0}, 3}}},
                                             {"c", {{{0, 0}, 5}, {{1, 0}, 5}}}};
  EXPECT_EQ(choose(candidates, kTwoRuns, kPlaces).index, 1);
  EXPECT_EQ(choose_by_split(candidates, kTwoRuns, kPlaces),
            (std::map<int, std::size_t>{{0, 2}, {1, 1}}));
}

TEST(Choose, WhatLacksARunCannotBeChosen) {
  const Chosen chosen =
      choose({{"a", {{{0, 0}, 0.5}, {{1, 0}, 0.7}}}, {"b", {{{0, 0}, 0.9}}}, {"c", {}}}, kTwoRuns);
  EXPECT_EQ(chosen.index, 0);
  EXPECT_EQ(chosen.complete, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(chosen.means[1], std::nullopt);
  EXPECT_EQ(chosen.compared, kTwoRuns);
}

TEST(Choose, WhereNoneIsCompleteTheCommonRunsDecide) {
  const Chosen chosen =
      choose({{"a", {{{0, 0}, 0.5}}}, {"b", {{{0, 0}, 0.6}}}, {"c", {}}}, kTwoRuns);
  EXPECT_EQ(chosen.index, 1);
  EXPECT_EQ(chosen.compared, (std::set<RunPlace>{{0, 0}}));
  EXPECT_EQ(choose({{"a", {{{0, 0}, 0.5}}}, {"b", {{{1, 0}, 0.6}}}}, kTwoRuns).index, -1);
  EXPECT_EQ(choose({{"a", {}}}, kTwoRuns).index, -1);
}

TEST(Choose, BySplitTakesTheLastOfEqualsOnEach) {
  const std::vector<Candidate> candidates = {
      {"a", {{{0, 0}, 0.5}, {{0, 1}, 0.7}, {{1, 0}, 0.9}, {{1, 1}, 0.9}, {{2, 0}, 1}, {{2, 1}, 1}}},
      {"b", {{{0, 0}, 0.6}, {{0, 1}, 0.6}, {{1, 0}, 0.2}, {{1, 1}, 0.9}, {{2, 0}, 0}}}};
  const std::set<RunPlace> asked = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
  // On split 2 a run is not there yet.
  EXPECT_EQ(choose_by_split(candidates, asked), (std::map<int, std::size_t>{{0, 1}, {1, 0}}));
}

}  // namespace
}  // namespace cupel
