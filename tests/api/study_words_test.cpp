#include "cupel/api/study_words.h"

#include <gtest/gtest.h>

#include "build_paths.h"
#include "lab/small_plan.h"

namespace cupel {
namespace {

using Texts = std::vector<std::string>;

// Configurations of a row are families of their own.
TEST(StudyWords, RowsThatAreRefusedForOneReasonAreOneText) {
  const Plan plan = made::plan_of();
  const auto gcn = plan.cells.at(0).family;
  const Refusal one{gcn, "it needs 9 GB", 2}, other{gcn, "it needs 3 GB", 1};
  const std::string row = gcn->row + " on " + gcn->dataset->name;
  EXPECT_EQ(refused_texts({one, other, one}), (Texts{"4 runs refused: " + row + ": it needs 9 GB",
                                                     "1 run refused: " + row + ": it needs 3 GB"}));
  EXPECT_TRUE(refused_texts({}).empty());
}

TEST(StudyWords, WhatHasNoScoreIsCountedAndSaidOnce) {
  ExecuteSummary summary;
  EXPECT_EQ(runs_without_score(summary), 0);
  summary.ok = 100;
  summary.diverged = 50;
  summary.failed = 1;
  summary.timed_out = 2;
  summary.not_started = 4;
  summary.failed_before = 8;
  EXPECT_EQ(runs_without_score(summary), 15);
  summary.not_started_rows = {{"gcn", "cora", "no memory", 3, false},
                              {"gat", "cora", "too large", 1, true}};
  EXPECT_EQ(not_started_texts(summary), Texts{"gcn on cora: 3 runs not started: no memory"});
}

TEST(StudyWords, ProgramsThatAreKeptApartAndHaveAFileAreNotSpokenOf) {
  const Store store(":memory:");
  const auto notes = [&](const std::string& row) {
    const Protocol protocol =
        parse_protocol("small", "small.toml", "[data]\ndatasets = ['one']\n[models.mine]\n" + row);
    return program_notes(pending_runs(make_plan(protocol, {}, made::fake_sources()), store));
  };
  EXPECT_TRUE(program_notes(pending_runs(made::plan_of(), store)).empty());
  const Texts both = notes("command = ['true']\nisolation = 'none'\n");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_TRUE(both[0].starts_with("not isolated: mine: ")) << both[0];
  EXPECT_TRUE(both[1].starts_with("mine: ")) << both[1];
  EXPECT_EQ(notes("command = ['true']\nisolation = 'none'\ninputs = ['" CUPEL_SOURCE_DIR
                  "/README.md']\n"),
            Texts{both[0]});
}

TEST(StudyWords, WhatUntilLeavesOutAndDecides) {
  EXPECT_EQ(left_out_text({}), "");
  EXPECT_EQ(left_out_text({"gcn on cora", "gat on cora"}),
            "nothing is published to decide about, so these are not run: gcn on cora, gat on cora");
  UntilSummary summary;
  summary.cells = 30;
  summary.equivalent = 23;
  summary.undecided = 7;
  summary.full_runs = 48600;
  summary.asked_runs = 1966;
  EXPECT_EQ(
      until_text(summary),
      "30 cells: 23 equivalent, 0 different, 7 undecided, after 1,966 of the protocol's 48,600 "
      "runs of them (4.0 %)");
}

}  // namespace
}  // namespace cupel
