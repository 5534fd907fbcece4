// Scores of facts over time in reports: means over runs, counts over splits, what is unranked.
#include "cupel/judge/report/event_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

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
      R"({"family":{"task":{"kind":"events","settings":{"question":"which","setting":"multi-step",)"
      R"("filter":"raw"}}}})";
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
  EXPECT_EQ(
      table["complexity"][1],
      (nlohmann::json{
          {"dataset", "papers"},
          {"relation", "met, at"},
          {"c_trans", 0},
          {"c_trans_share", 0},
          {"c_ind", 0},
          {"c_ind_share", 0},
          {"cuts",
           {{{"split", 0}, {"c_trans", 0}, {"c_trans_share", 0}, {"c_ind", 0}, {"c_ind_share", 0}},
            {{"split", 1},
             {"c_trans", 0},
             {"c_trans_share", 0},
             {"c_ind", 0},
             {"c_ind_share", 0}}}}}));
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
  EXPECT_TRUE(csv_header(frame).ends_with(",id,relation,group,n,memory_bytes\n"))
      << csv_header(frame);
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
  paid.relation = "paid", paid.value = 30, paid.questions = 5, paid.questions_of = {{0, 5}};
  table.event_scores.push_back(paid);
  const report::Grid grid = report::groups_grid(table);
  ASSERT_EQ(grid.rows.size(), 10u);
  EXPECT_EQ(grid.rows[8].cells[1], "30.0");
  EXPECT_EQ(grid.rows[0].cells.front(),
            "papers, all relations: C_trans undefined, C_ind undefined, over 2 cuts");
  EXPECT_EQ(grid.rows[1].cells,
            (std::vector<std::string>{"model", "50.0", "–", "–", "–", "–", "–"}));
  EXPECT_EQ(grid.rows[2].cells,
            (std::vector<std::string>{"questions", "100", "0", "0", "0", "0", "0"}));
  EXPECT_EQ(grid.rows[3].cells.front(), "unranked by model");
  EXPECT_EQ(grid.rows[3].cells[1], "5");
  EXPECT_EQ(grid.rows[4].cells.front(),
            "papers, met, at: C_trans 0 ± 0 (share 0 ± 0), C_ind 0 ± 0 (share 0 ± 0), over 2 cuts");
  EXPECT_EQ(grid.rows[5].cells[2], "40.0");
  // Of each cut by itself, with 10 repeated in both: 0.5 and 2.5 first-time ones to them, and 5 of
  // 20 and 5 of 40 with an unseen end. Shares are of all facts of their kind.
  const auto add = [&](const char* group, std::map<int, std::int64_t> questions_of) {
    EventScore more = table.event_scores.front();
    more.relation = "met, at", more.group = group, more.questions_of = std::move(questions_of);
    more.questions = 0;
    for (const auto& [split, n] : more.questions_of) more.questions += n;
    table.event_scores.push_back(more);
  };
  add("first_time", {{0, 5}, {1, 25}});
  add("unseen_to_seen", {{0, 5}, {1, 5}});
  EXPECT_EQ(report::groups_grid(table).rows[4].cells.front(),
            "papers, met, at: C_trans 1.5 ± 1.4 (share 0.524 ± 0.27), C_ind 0.238 ± 0.13 (share "
            "0.188 ± 0.088), over 2 cuts");
  // Of one cut as ever.
  for (EventScore& score : table.event_scores) score.questions_of.erase(0);
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

// A table of one run that asked for these ends, with so many questions of each of the five groups;
// `all` in place of their sum.
ReportTable table_of_ends(const std::string& ends, std::vector<int> groups, int all = -1) {
  CellResults one = cell("papers", "model", {0.5});
  one.measure = {"mrr"};
  RunRecord& record = one.runs.front().record;
  record.identity = fmt::format(
      R"({{"family":{{"task":{{"kind":"events","settings":{{"question":"which","ends":"{}"}}}}}}}})",
      ends);
  int sum = 0;
  const auto add = [&](const std::string& group, int n) {
    record.other_scores.emplace_back(to_text({"mrr", "all", group}), 0.5);
    record.other_scores.emplace_back(to_text({"n", "all", group}), n);
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g] > 0) add(std::string(kFactGroupNames[g]), groups[g]);
    sum += groups[g];
  }
  add("all", all < 0 ? sum : all);
  ReportTable table;
  table.id = "1";
  table.columns = {{"papers", {"mrr"}}};
  table.event_scores = report::event_scores(scores_table({one}));
  return table;
}

// Facts are written out, each end of each is asked for, and the answer is looked up. A model that
// gives every entity a score leaves none of them unranked.
TEST(EventScores, QuestionsAboutAnswersThatTrainingNeverSawAreCounted) {
  const std::set<int> seen = {1, 2, 3};
  const std::vector<std::pair<int, int>> facts = {{1, 2}, {2, 3}, {1, 7}, {2, 8}, {3, 7},
                                                  {9, 1}, {8, 2}, {7, 9}, {8, 9}};
  for (const std::string ends : {"both", "target", "source"}) {
    std::vector<int> groups(5), unseen(5);
    for (const auto& [s, o] : facts) {
      const bool source = seen.contains(s), target = seen.contains(o);
      const std::size_t group = source ? (target ? 1 : 2) : (target ? 3 : 4);
      if (ends != "source") ++groups[group], unseen[group] += !target;
      if (ends != "target") ++groups[group], unseen[group] += !source;
    }
    const ReportTable table = table_of_ends(ends, groups);
    const report::Grid grid = report::groups_grid(table);
    ASSERT_EQ(grid.rows.size(), 4u) << ends;
    std::vector<std::string> row = {
        "answer unseen", fmt::format("{}", std::accumulate(unseen.begin(), unseen.end(), 0))};
    for (const int n : unseen) row.push_back(fmt::format("{}", n));
    EXPECT_EQ(grid.rows[3].cells, row) << ends;
    EXPECT_EQ(report::asked_relations(table).at(0).unseen_answers("all"),
              std::accumulate(unseen.begin(), unseen.end(), 0));
  }
  // Nothing is said where all answers were seen, or groups are not told apart.
  EXPECT_EQ(report::groups_grid(table_of_ends("both", {4, 2, 0, 0, 0})).rows.size(), 3u);
  EXPECT_EQ(report::groups_grid(table_of_ends("both", {0, 0, 0, 0, 0}, 9)).rows.size(), 3u);
  EXPECT_EQ(report::asked_relations(table_of_ends("both", {}, 9)).at(0).unseen_answers("all"),
            std::nullopt);
  EXPECT_EQ(report::asked_relations(table_of_ends("", {0, 2, 2, 0, 0})).at(0).unseen_answers("all"),
            std::nullopt);
}

TEST(EventScores, JsonHasTheNumberOfUnseenAnswers) {
  Results results;
  results.protocol = "tiny";
  CellResults one = cell("papers", "model", {0.5});
  one.measure = {"mrr"};
  RunRecord& record = one.runs.front().record;
  record.identity =
      R"({"family":{"task":{"kind":"events","settings":{"question":"which","ends":"both"}}}})";
  for (const auto& [group, n] :
       std::map<std::string, double>{{"all", 20}, {"first_time", 8}, {"seen_to_unseen", 12}}) {
    record.other_scores.emplace_back(to_text({"mrr", "all", group}), 0.5);
    record.other_scores.emplace_back(to_text({"n", "all", group}), n);
  }
  results.tables = {scores_table({one})};
  const auto table = nlohmann::json::parse(made::rendered("json", results))["tables"][0];
  EXPECT_EQ(table["complexity"][0]["unseen_answers"], 6);
}

// Bins stand in their order, whatever the order of their names, and empty ones are dashes.
TEST(EventScores, StalenessAndHorizonHaveGridsOfTheirOwn) {
  CellResults one = cell("papers", "model", {});
  one.measure = {"mrr"};
  one.runs = {event_run(0, 0, 0.2, 0.1, 40, 3)};
  auto& scores = one.runs.front().record.other_scores;
  const auto add = [&](const char* group, double mrr, double n) {
    scores.emplace_back(to_text({"mrr", "all", group}), mrr);
    scores.emplace_back(to_text({"n", "all", group}), n);
  };
  ReportTable table;
  table.id = "1";
  table.columns = {{"papers", {"mrr"}}};
  const auto fill = [&] { table.event_scores = report::event_scores(scores_table({one})); };
  fill();
  EXPECT_TRUE(report::staleness_grid(table).rows.empty() &&
              report::horizon_grid(table).rows.empty());
  add("staleness never", 0.01, 4), add("staleness 3-5", 0.3, 6), add("staleness 1", 0.5, 30);
  fill();
  const report::Grid stale = report::staleness_grid(table);
  using Cells = std::vector<std::string>;
  EXPECT_EQ(stale.title, "MRR by staleness, table 1");
  EXPECT_EQ(stale.head, (Cells{"model", "1", "2", "3-5", ">5", "never"}));
  ASSERT_EQ(stale.rows.size(), 3u);
  EXPECT_EQ(stale.rows[0].cells, Cells{"papers, all relations"});
  EXPECT_TRUE(stale.rows[0].section);
  EXPECT_EQ(stale.rows[1].cells, (Cells{"model", "50.0", "–", "30.0", "–", "1.0"}));
  EXPECT_EQ(stale.rows[2].cells, (Cells{"questions", "30", "0", "6", "0", "4"}));
  EXPECT_TRUE(report::horizon_grid(table).rows.empty());
  add("step >10", 0.1, 11), add("step 2", 0.4, 9);
  fill();
  const report::Grid ahead = report::horizon_grid(table);
  EXPECT_EQ(ahead.head, (Cells{"model", "1", "2", "3-5", "6-10", ">10"}));
  ASSERT_EQ(ahead.rows.size(), 3u);
  EXPECT_EQ(ahead.rows[1].cells, (Cells{"model", "–", "40.0", "–", "–", "10.0"}));
  // Readers of every format see them.
  Results results;
  results.protocol = "tiny";
  results.tables = {scores_table({one})};
  for (const char* format : {"text", "markdown", "latex", "html"})
    for (const char* part : {"by staleness", "by horizon"})
      EXPECT_NE(made::rendered(format, results).find(part), std::string::npos) << format << part;
}

// A table of one run on each data set, whose identity has these settings and this split; `cut`
// steps were cut, or nothing is told of it.
TableResults asked_table(const std::string& settings, const std::string& split = "time",
                         const std::vector<std::optional<double>>& cut = {{}}) {
  std::vector<CellResults> cells;
  for (const std::optional<double>& steps : cut) {
    CellResults one = cell(fmt::format("papers{}", cells.size()), "model", {0.5});
    RunRecord& record = one.runs.front().record;
    record.identity =
        fmt::format(R"({{"family":{{"split":"{}","task":{{"kind":"events","settings":{{{}}}}}}}}})",
                    split, settings);
    if (steps) record.other_scores = {{to_text({"cut-steps", "all", "all"}), *steps}};
    cells.push_back(one);
  }
  return scores_table(cells);
}

TEST(EventNotes, SayWhatIsNotUsual) {
  using Notes = std::vector<std::string>;
  constexpr const char* kWhich =
      R"("question":"which","setting":"single-step","ends":"{}","candidates":"{}","sampled":{})";
  const auto which = [&](const char* ends, const char* candidates, int sampled, const char* more) {
    return report::event_notes(
        asked_table(fmt::format(fmt::runtime(kWhich), ends, candidates, sampled) + more));
  };
  EXPECT_EQ(which("both", "all", 0, ""), Notes());
  EXPECT_EQ(which("target", "type", 100, R"(,"seed":3)"),
            (Notes{"How it was asked: the target of each fact is asked for, and no other end; "
                   "candidates are the entities of the type that the relation has at that end; 100 "
                   "candidates are drawn for each question; what is drawn is drawn by seed 3."}));
  constexpr const char* kWhether =
      R"("question":"whether","setting":"{}","average":"{}","batch":{},"negatives":"random")";
  const auto whether = [&](const char* setting, const char* average, int batch, const char* more,
                           const char* split, std::vector<std::optional<double>> cut) {
    return report::event_notes(asked_table(
        fmt::format(fmt::runtime(kWhether), setting, average, batch) + more, split, cut));
  };
  EXPECT_EQ(whether("single-step", "pooled", 200, "", "time", {0.0}), Notes());
  EXPECT_EQ(
      whether("single-step", "batches", 200, R"(,"known":"step")",
              "time cuts= quantiles=0.7,0.85 holdout=0.1", {{}}),
      (Notes{"How it was asked: a score is the mean of those of batches of 200 facts; what is "
             "known is all before the asked time, and nothing of it; training lacks all facts "
             "of 10 % of the nodes."}));
  EXPECT_EQ(whether("single-step", "pooled", 0, "", "time", {{}}),
            (Notes{"How it was asked: facts of one time are asked, and then known, together."}));
  EXPECT_EQ(whether("single-step", "pooled", 50, "", "time", {0.0}),
            (Notes{"How it was asked: 50 facts are asked, and then known, together."}));
  EXPECT_EQ(whether("single-step", "pooled", 200, "", "time", {1.0, 0.0, 1234.0}),
            (Notes{"Batches of 200 facts cut steps of time in two, 1 step of papers0, 1,234 steps "
                   "of papers2: the rest of such a step is asked with its earlier facts known."}));
  // Runs from before that was counted.
  const std::string untold =
      "Where a batch of 200 facts ends within a step of time, the rest of that step is asked with "
      "its earlier facts known.";
  EXPECT_EQ(whether("single-step", "pooled", 200, "", "time", {{}}), Notes{untold});
  EXPECT_EQ(whether("single-step", "pooled", 200, "", "time", {{}, 0.0, 2.0}).at(1), untold);
  EXPECT_EQ(whether("multi-step", "pooled", 200, "", "time", {{}}), Notes())
      << "nothing of the part is known";
  EXPECT_EQ(report::event_notes(scores_table({cell("cora", "gcn", {0.8, 0.9})})), Notes());
}

TEST(EventNotes, StandInEveryReport) {
  Results results;
  results.protocol = "tiny";
  results.tables = {
      asked_table(R"("question":"whether","setting":"single-step","average":"batches","batch":200)",
                  "time holdout=0.25", {12.0})};
  for (const char* format : {"text", "markdown", "latex", "html", "json"}) {
    std::string text = made::rendered(format, results);
    std::ranges::replace(text, '\n', ' ');
    std::erase(text, '\\');
    for (const char* part : {"a score is the mean of those of batches of 200 facts",
                             "25 % of the nodes", "12 steps of papers0"})
      EXPECT_NE(text.find(part), std::string::npos) << format << ": " << part << "\n" << text;
  }
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
