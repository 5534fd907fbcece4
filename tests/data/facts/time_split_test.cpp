// Facts parted by time: no step cut in two, k-th splits, quantiles, and what is refused.
#include "cupel/data/facts/time_split.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "data/facts/made.h"
#include "error_of.h"

namespace cupel {
namespace {

using made::MadeFacts;
using made::random_facts;

TEST(TimeSplit, PartsHoldExactlyTheFactsOfTheirIntervals) {
  const MadeFacts made = random_facts(1, 400, 30, 3, 12);
  const TimeCuts cuts = {1994, 1996, 1999};
  const TimeParts parts = parts_at(made.columns(), cuts, "made");
  for (Offset i = 0; i < made.columns().size(); ++i) {
    const std::int64_t t = made.time[static_cast<std::size_t>(i)];
    EXPECT_EQ(i < parts.train_end, t <= 1994);
    EXPECT_EQ(i >= parts.train_end && i<parts.valid_end, t> 1994 && t <= 1996);
    EXPECT_EQ(i >= parts.valid_end && i<parts.test_end, t> 1996 && t <= 1999);
  }
  EXPECT_LT(parts.test_end, made.columns().size());
  for (const Offset end : {parts.train_end, parts.valid_end, parts.test_end})
    EXPECT_FALSE(cuts_a_step(made.time, end));
  EXPECT_TRUE(cuts_a_step(made.time, parts.train_end - 1));
  EXPECT_FALSE(cuts_a_step(made.time, 0));
  EXPECT_FALSE(cuts_a_step(made.time, made.columns().size()));
  const FactColumns test = parts.test(made.columns());
  EXPECT_EQ(test.size(), parts.test_end - parts.valid_end);
  EXPECT_EQ(test.time.front(), 1997);
  EXPECT_EQ(test.nodes, 30);
}

TEST(TimeSplit, ACutBetweenStepsTakesWhatIsBefore) {
  const MadeFacts made = random_facts(2, 100, 10, 1, 10, 0, 24);  // 0, 24, ..., 216
  EXPECT_EQ(parts_at(made.columns(), {50, 100, 1000}, "made"),
            parts_at(made.columns(), {48, 96, 216}, "made"));
}

TEST(TimeSplit, LaterCutsMoveOnByStepsThatOccur) {
  const std::vector<std::int64_t> years = {1990, 1991, 1992, 1994, 1995, 1996};  // no 1993
  EXPECT_EQ(moved_cuts(years, {1990, 1991, 1992}, 0, "x"), (TimeCuts{1990, 1991, 1992}));
  EXPECT_EQ(moved_cuts(years, {1990, 1991, 1992}, 1, "x"), (TimeCuts{1991, 1992, 1994}));
  EXPECT_EQ(moved_cuts(years, {1990, 1991, 1992}, 3, "x"), (TimeCuts{1994, 1995, 1996}));
  EXPECT_EQ(moved_cuts(years, {1991, 1993, 1995}, 1, "x"), (TimeCuts{1992, 1994, 1996}));
  EXPECT_EQ(later_cuts(years, {1990, 1991, 1992}), 4);
  EXPECT_EQ(later_cuts(years, {1990, 1991, 2020}), 1);
  EXPECT_EQ(moved_cuts(years, {1980, 1991, 1992}, 1, "x").train, 1980);
  EXPECT_EQ(
      error_of([&] {
        (void)moved_cuts(years, {1990, 1991, 1992}, 4, "x");
      }),
      "x: there is no split 4 by time, counted from 0, as with test up to 1992 there are 4; take "
      "fewer, or an earlier first cut");
  EXPECT_NO_THROW(check_later_cuts(years, {1990, 1991, 1992}, 4, "x"));
  EXPECT_EQ(error_of([&] {
              check_later_cuts(years, {1990, 1991, 2020}, 2, "x");
            }),
            "x: 2 splits by time are asked for, as with test up to 2020 there is 1; take fewer, or "
            "an earlier first cut");
}

TEST(TimeSplit, EveryLaterSplitHasItsParts) {
  const MadeFacts made = random_facts(3, 500, 20, 2, 25, 100, 7);
  const auto steps = time_steps(made.time);
  ASSERT_EQ(std::set<std::int64_t>(steps.begin(), steps.end()),
            std::set<std::int64_t>(made.time.begin(), made.time.end()));
  const TimeCuts first = {steps[3], steps[5], steps[8]};
  Offset before = 0;
  for (Offset k = 0; k < later_cuts(steps, first); ++k) {
    const TimeParts parts = parts_at(made.columns(), moved_cuts(steps, first, k, "made"), "made");
    EXPECT_GT(parts.train_end, before);
    before = parts.train_end;
    EXPECT_EQ(time_steps(parts.test(made.columns()).time).size(), 3u);
    EXPECT_EQ(time_steps(parts.valid(made.columns()).time).size(), 2u);
  }
}

// Quantiles of these by numpy.quantile(t, [0.7, 0.85]) are in the comments; TGN takes t <= them.
TEST(TimeSplit, QuantilesPartAsNumpyDoes) {
  const auto parts = [](const std::vector<std::int64_t>& time) {
    MadeFacts made;
    for (const std::int64_t t : time) made.add(0, 0, 0, t);
    return parts_at(made.columns(), quantile_cuts(made.time, 0.7, 0.85, "made"), "made");
  };
  // 7.3, 8.65
  EXPECT_EQ(parts({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), (TimeParts{7, 8, 10}));
  // 4.0, 7.0
  EXPECT_EQ(parts({1, 1, 3, 3, 3, 3, 3, 4, 5, 9, 9}), (TimeParts{8, 9, 11}));
  // 3.0, 4.5: the cut falls inside the step 3, all of which trains
  EXPECT_EQ(parts({1, 1, 3, 3, 3, 3, 3, 3, 4, 5, 9}), (TimeParts{8, 9, 11}));
  // 3.0, 3.65: nothing is between
  EXPECT_NE(error_of([&] {
              (void)parts({1, 1, 3, 3, 3, 3, 3, 3, 4, 9});
            }).find("no fact"),
            std::string::npos);
}

TEST(TimeSplit, ExtremeTimesAreOrdinary) {
  constexpr std::int64_t kLow = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int64_t>::max();
  MadeFacts made;
  for (const std::int64_t t : {kLow, std::int64_t{0}, kHigh}) made.add(0, 0, 1, t);
  EXPECT_EQ(parts_at(made.columns(), {kLow, 0, kHigh}, "made"), (TimeParts{1, 2, 3}));
  EXPECT_EQ(quantile_cuts(made.time, 0.1, 0.6, "made"), (TimeCuts{kLow, 0, kHigh}));
}

TEST(TimeSplit, WhatCannotBePartedIsRefused) {
  const MadeFacts made = random_facts(4, 50, 10, 1, 10);
  const auto problem = [&](TimeCuts cuts) {
    return error_of([&] { (void)parts_at(made.columns(), cuts, "made"); });
  };
  EXPECT_EQ(problem({1980, 1991, 1992}),
            "made: no fact for training up to 1980 (its times are 1990 to 1999); cut later");
  EXPECT_EQ(problem({1999, 2000, 2001}),
            "made: no fact for validation after 1999 up to 2000 (its times are 1990 to 1999); move "
            "the cuts");
  EXPECT_EQ(problem({1998, 1999, 2001}),
            "made: no fact to test on after 1999 up to 2001 (its times are 1990 to 1999); cut "
            "earlier");
  EXPECT_NE(problem({1992, 1992, 1993}).find("do not ascend"), std::string::npos);
  EXPECT_NE(error_of([] { (void)quantile_cuts({}, 0.7, 0.85, "made"); }).find("no facts"),
            std::string::npos);
}

// No cut is later, earlier or elsewhere enough.
TEST(TimeSplit, FewerStepsThanPartsHaveNoCuts) {
  MadeFacts one, two;
  for (int i = 0; i < 3; ++i) one.add(i, 0, 1, 1), two.add(i, 0, 1, i / 2);
  for (const TimeCuts cuts : {TimeCuts{0, 1, 2}, TimeCuts{1, 2, 3}, TimeCuts{-1, 0, 1}}) {
    EXPECT_EQ(error_of([&] { (void)parts_at(one.columns(), cuts, "made"); }),
              "made: all its facts are of 1 step of time, and train, valid and test need one each; "
              "take finer times");
    EXPECT_NE(error_of([&] { (void)parts_at(two.columns(), cuts, "made"); }).find("of 2 steps"),
              std::string::npos);
  }
  EXPECT_NE(error_of([&] { (void)quantile_cuts(two.time, 0.5, 0.7, "made"); }).find("of 2 steps"),
            std::string::npos);
}

// Ten years that grow, each by as much as half of all before it.
TEST(TimeSplit, QuantilesThatMeetNameTheLastSteps) {
  MadeFacts made;
  for (int year = 2012, size = 2; year <= 2021; ++year, size += size / 2)
    for (int k = 0; k < size; ++k) made.add(k, 0, k + 1, year);
  EXPECT_EQ(error_of([&] { (void)quantile_cuts(made.time, 0.7, 0.85, "made"); }),
            "made: the quantiles 0.7 and 0.85 of its times are 2021 and 2021 and the last is 2021, "
            "so that a part has no fact; cut at times instead, by cuts = \"2019,2020,2021\" in "
            "[split] of a protocol or --split 2019,2020,2021 on the command line");
  // These are cuts.
  EXPECT_NO_THROW((void)parts_at(made.columns(), {2019, 2020, 2021}, "made"));
}

TEST(TimeSplit, CutsAreThreeNumbers) {
  EXPECT_EQ(parse_time_cuts("2018,2019,2021", "year", "--split"), (TimeCuts{2018, 2019, 2021}));
  EXPECT_EQ(parse_time_cuts("-3,0,9", "", "--split"), (TimeCuts{-3, 0, 9}));
  for (const char* wrong :
       {"", "2018", "2018,2019", "2018,2019,", "2018,2019,2020,2021", "a,b,c", "2018, 2019,2020",
        "2018;2019;2020", "1,2,99999999999999999999", "1,2,3 ", "2018-12-31,2019-12-31,2021-12-31"})
    EXPECT_NE(
        error_of([&] { (void)parse_time_cuts(wrong, "", "--split"); }).find("not three whole"),
        std::string::npos)
        << wrong;
  EXPECT_NE(error_of([] { (void)parse_time_cuts("2019,2018,2020", "", "--split"); }).find("ascend"),
            std::string::npos);
}

TEST(TimeSplit, CutsAreDaysWhereTimesAre) {
  const std::string days = "2018-12-31,2019-12-31,2021-12-31";
  EXPECT_EQ(parse_time_cuts(days, "day", "--split"), (TimeCuts{17896, 18261, 18992}));
  EXPECT_EQ(parse_time_cuts("17896,18261,2021-12-31", "day", "--split"),
            (TimeCuts{17896, 18261, 18992}));
  // A day ends with its last second.
  EXPECT_EQ(parse_time_cuts(days, "second", "--split"),
            (TimeCuts{1546300799, 1577836799, 1640995199}));
  EXPECT_EQ(
      parse_time_cuts("2018-12-31T12:00,2019-12-31 12:00:01Z,1640995199", "second", "--split"),
      (TimeCuts{1546257600, 1577793601, 1640995199}));
  for (const char* wrong : {"2018-12-31", "2018-12-31,2019-12-31,2021-02-29",
                            "2018-12-31,2019-12-31,2021", "2018-12-31T12:00,2019-12-31,2021-12-31"})
    EXPECT_NE(error_of([&] { (void)parse_time_cuts(wrong, "day", "--split"); }), "no error")
        << wrong;
  EXPECT_NE(
      error_of([] { (void)parse_time_cuts("a,b,c", "second", "--split"); }).find("2018-12-31,"),
      std::string::npos);
}

}  // namespace
}  // namespace cupel
