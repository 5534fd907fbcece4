// Scores of facts over time in reports: means over runs, counts over splits, what is unranked.
#include "cupel/judge/report/event_scores.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cupel/judge/report/frames.h"
#include "cupel/learn/score/group_names.h"
#include "judge/report/make_results.h"
#include "judge/report/rendered.h"

namespace cupel {
namespace {

using made::cell;
using made::run;
using made::scores_table;

PlacedRun event_run(int split, int init, double mrr, double repeated, double n, double unknown) {
  PlacedRun out = run(split, init, mrr);
  out.record.identity =
      R"({"family":{"task":{"settings":{"question":"which","setting":"multi-step","filter":"raw"}}}})";
  out.record.other_scores = {{"hits@10", 0.5},
                             {to_text({"mrr", "all", "all"}), mrr},
                             {to_text({"n", "all", "all"}), n},
                             {to_text({"unknown", "all", "all"}), unknown},
                             {to_text({"mrr", "met, at", "repeated"}), repeated},
                             {to_text({"mean-rank", "met, at", "repeated"}), 7},
                             {to_text({"n", "met, at", "repeated"}), 10},
                             {to_text({"unknown", "met, at", "repeated"}), 0}};
  return out;
}

// Two splits of 40 and 60 questions, two initialisations each.
TableResults made_table() {
  CellResults one = cell("papers", "model", {0.2, 0.4, 0.6, 0.8});
  one.measure = {"mrr"};
  one.runs = {event_run(0, 0, 0.2, 0.1, 40, 3), event_run(0, 1, 0.4, 0.3, 40, 5),
              event_run(1, 0, 0.6, 0.5, 60, 1), event_run(1, 1, 0.8, 0.7, 60, 1)};
  return scores_table({one});
}

TEST(EventScores, AreMeansOverRunsOfQuestionsOverSplits) {
  const auto scores = report::event_scores(made_table());
  ASSERT_EQ(scores.size(), 5u);
  const auto& mrr = scores[0];
  EXPECT_EQ(mrr.dataset, "papers");
  EXPECT_EQ(mrr.setting, "multi-step");
  EXPECT_EQ(mrr.filter, "raw");
  EXPECT_EQ(mrr.relation + mrr.group + mrr.metric, "allallmrr");
  EXPECT_NEAR(mrr.value, 50, 1e-12);
  EXPECT_EQ(mrr.questions, 100) << "each split once, however many runs it has";
  EXPECT_EQ(scores[1].metric, "unknown");
  EXPECT_NEAR(scores[1].value, 5, 1e-12) << "4 and 1 of the two splits";
  EXPECT_EQ(scores[2].relation, "met, at");
  EXPECT_EQ(scores[2].metric, "mean-rank");
  EXPECT_EQ(scores[2].value, 7);
  EXPECT_EQ(scores[2].questions, 20);
  EXPECT_NEAR(scores[3].value, 40, 1e-12);
}

TEST(EventScores, OtherRunsHaveNone) {
  EXPECT_TRUE(report::event_scores(scores_table({cell("cora", "gcn", {0.8, 0.9})})).empty());
  EXPECT_TRUE(report::groups_grid({}).rows.empty());
}

TEST(EventScores, JsonHasThemAndHowHardTheQuestionsAre) {
  Results results;
  results.protocol = "tiny";
  results.tables = {made_table()};
  const auto table = nlohmann::json::parse(made::rendered("json", results))["tables"][0];
  const auto scores = report::event_scores(results.tables[0]);
  ASSERT_EQ(table["event_scores"].size(), scores.size());
  EXPECT_EQ(table["event_scores"][3], (nlohmann::json{{"dataset", "papers"},
                                                      {"model", "model"},
                                                      {"setting", "multi-step"},
                                                      {"filter", "raw"},
                                                      {"relation", "met, at"},
                                                      {"group", "repeated"},
                                                      {"metric", "mrr"},
                                                      {"value", scores[3].value},
                                                      {"n", 20}}));
  // 20 repeated questions, and nothing else by group.
  EXPECT_EQ(table["complexity"][1], (nlohmann::json{{"dataset", "papers"},
                                                    {"relation", "met, at"},
                                                    {"c_trans", 0},
                                                    {"c_trans_share", 0},
                                                    {"c_ind", 0},
                                                    {"c_ind_share", 0}}));
  EXPECT_TRUE(table["complexity"][0]["c_trans"].is_null());
  const auto other = nlohmann::json::parse(made::rendered("json"));
  EXPECT_FALSE(other["tables"][0].contains("event_scores"));
}

TEST(EventScores, RunsHaveRowsOfRelationsAndGroups) {
  Results results;
  results.protocol = "tiny";
  results.tables = {made_table()};
  EXPECT_EQ(runs_frame(results).rows(), 4u);
  const Frame frame = runs_and_groups_frame(results);
  ASSERT_EQ(frame.rows(), 4u * 3) << "of each run the whole, all facts and one group";
  const std::string text = csv_text(frame);
  EXPECT_TRUE(csv_header(frame).ends_with(",id,relation,group,n\n")) << csv_header(frame);
  const auto column = [&](const char* name) -> const auto& {
    return std::ranges::find(frame.columns, name, &FrameColumn::name)->values;
  };
  using Reals = FrameColumn::Reals;
  using Whole = FrameColumn::Whole;
  const auto& score = std::get<Reals>(column("test_score"));
  EXPECT_EQ(score, (Reals{0.2, 0.2, 0.1, 0.4, 0.4, 0.3, 0.6, 0.6, 0.5, 0.8, 0.8, 0.7}));
  EXPECT_EQ(std::get<Whole>(column("split")), (Whole{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(std::get<FrameColumn::Texts>(column("relation"))[0], "");
  EXPECT_EQ(std::get<FrameColumn::Texts>(column("relation"))[2], "met, at");
  EXPECT_EQ(std::get<FrameColumn::Texts>(column("group"))[2], "repeated");
  EXPECT_EQ(std::get<Whole>(column("n"))[0], std::nullopt);
  EXPECT_EQ(std::get<Whole>(column("n"))[1], 40);
  for (const char* of_run : {"valid_score", "seconds"})
    EXPECT_EQ(std::get<Reals>(column(of_run))[1], std::nullopt) << of_run;
}

TEST(EventScores, TheGridHasModelsQuestionsAndWhatIsUnranked) {
  ReportTable table;
  table.id = "1";
  table.columns = {{"papers", {"mrr"}}};
  table.event_scores = report::event_scores(made_table());
  ASSERT_EQ(report::groups_grid(table).rows.size(), 4u) << "one relation is all relations";
  EventScore paid = table.event_scores.front();
  paid.relation = "paid", paid.value = 30, paid.questions = 5;
  table.event_scores.push_back(paid);
  const report::Grid grid = report::groups_grid(table);
  ASSERT_EQ(grid.rows.size(), 10u);
  EXPECT_EQ(grid.rows[8].cells[1], "30.0");
  EXPECT_EQ(grid.rows[0].cells.front(),
            "papers, all relations: C_trans undefined, C_ind undefined");
  EXPECT_EQ(grid.rows[1].cells,
            (std::vector<std::string>{"model", "50.0", "–", "–", "–", "–", "–"}));
  EXPECT_EQ(grid.rows[2].cells,
            (std::vector<std::string>{"questions", "100", "0", "0", "0", "0", "0"}));
  EXPECT_EQ(grid.rows[3].cells.front(), "unranked by model");
  EXPECT_EQ(grid.rows[3].cells[1], "5");
  EXPECT_EQ(grid.rows[4].cells.front(), "papers, met, at: C_trans 0 (share 0), C_ind 0 (share 0)");
  EXPECT_EQ(grid.rows[5].cells[2], "40.0");
  // Shares are of all facts of their kind: 20 of 20 + 30, and 10 of 60.
  for (const auto& [group, n] : {std::pair("first_time", 30), {"unseen_to_seen", 10}}) {
    EventScore more = table.event_scores.front();
    more.relation = "met, at", more.group = group, more.questions = n;
    table.event_scores.push_back(more);
  }
  EXPECT_EQ(report::groups_grid(table).rows[4].cells.front(),
            "papers, met, at: C_trans 1.5 (share 0.6), C_ind 0.2 (share 0.167)");
  // Pages are not filled with relations: the csv has them.
  ReportTable wide = table;
  for (int k = 0; k < 30; ++k) {
    EventScore more = table.event_scores.front();
    more.relation = fmt::format("r{}", k);
    wide.event_scores.push_back(more);
  }
  EXPECT_EQ(report::groups_grid(wide).rows.size(), 4u);
  EXPECT_TRUE(report::groups_grid(wide).note.ends_with(
      "Each of the 32 relations of papers is in the csv."));
  // A metric that no group has: nothing is said of it.
  table.columns = {{"papers", {"accuracy"}}};
  EXPECT_TRUE(report::groups_grid(table).rows.empty());
}

// One run of the first split, in which 100 were unranked, and three of the second, in each 10.
TEST(EventScores, CountsAreOfSplitsHoweverManyRunsTheyHave) {
  CellResults one = cell("papers", "model", {});
  one.measure = {"mrr"};
  one.runs = {event_run(0, 0, 0.2, 0.1, 400, 100)};
  for (int init = 0; init < 3; ++init) one.runs.push_back(event_run(1, init, 0.6, 0.5, 60, 10));
  const auto scores = report::event_scores(scores_table({one}));
  const auto unknown = std::ranges::find_if(scores, [](const EventScore& score) {
    return score.metric == "unknown" && score.relation == "all";
  });
  ASSERT_NE(unknown, scores.end());
  EXPECT_NEAR(unknown->value, 110, 1e-9);
  EXPECT_EQ(unknown->questions, 460);
}

}  // namespace
}  // namespace cupel
