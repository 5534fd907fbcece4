// Models over data sets, against figures of SciPy; and who is beaten in cost and score.
#include "cupel/judge/report/across.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/judge/report/build.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel::report {
namespace {

using made::cell;

// Means of four models on seven data sets. Two are equal: gcn and mlp on the last.
Results seven_datasets() {
  const std::vector<std::pair<std::string, std::vector<double>>> means = {
      {"mlp", {58.0, 59.0, 71.0, 90.0, 66.5, 75.0, 64.0}},
      {"gcn", {81.5, 71.0, 78.0, 92.0, 83.0, 90.0, 64.0}},
      {"gat", {82.5, 70.5, 77.5, 91.0, 81.0, 86.5, 63.0}},
      {"sgc", {81.0, 70.0, 77.0, 90.5, 82.0, 89.0, 63.5}}};
  std::vector<CellResults> cells;
  for (const auto& [model, values] : means)
    for (std::size_t d = 0; d < values.size(); ++d)
      cells.push_back(cell("data" + std::to_string(d), model, {values[d] / 100}));
  Results results;
  results.protocol = "seven";
  results.tables = {made::scores_table(std::move(cells))};
  return results;
}

ReportTable table_of(const Results& results) { return make_report(results).tables.front(); }

std::optional<RankDiagram> diagram_of(const Results& results) {
  return rank_diagram(table_of(results), results.tables.front());
}

// scipy 1.17: wilcoxon by enumeration of signs (zeros dropped), Holm by hand from its p.
TEST(Across, IsTheMatrixThatSciPyGives) {
  const auto across = across_datasets(table_of(seven_datasets()));
  ASSERT_TRUE(across);
  EXPECT_EQ(across->datasets, 7);
  EXPECT_EQ(across->models, (std::vector<std::string>{"gcn", "gat", "sgc", "mlp"}));
  struct Row {
    double difference;
    int wins, ties, losses;
    double p, holm;
  };
  const std::vector<Row> rows = {
      {1.0714285714, 6, 0, 1, 0.109375, 0.21875}, {0.9285714286, 7, 0, 0, 0.015625, 0.09375},
      {10.8571428571, 6, 1, 0, 0.03125, 0.15625}, {-0.1428571429, 4, 0, 3, 1, 1},
      {9.7857142857, 6, 0, 1, 0.046875, 0.1875},  {9.9285714286, 6, 0, 1, 0.046875, 0.1875}};
  ASSERT_EQ(across->pairs.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const AcrossPair& pair = across->pairs[i];
    EXPECT_NEAR(*pair.difference, rows[i].difference, 1e-9) << i;
    EXPECT_EQ(pair.duel.wins, rows[i].wins) << i;
    EXPECT_EQ(pair.duel.ties, rows[i].ties) << i;
    EXPECT_EQ(pair.duel.losses, rows[i].losses) << i;
    EXPECT_NEAR(*pair.duel.p, rows[i].p, 1e-9) << i;
    EXPECT_NEAR(*pair.duel.p_holm, rows[i].holm, 1e-9) << i;
  }
}

// scipy.stats: friedmanchisquare, studentized_range; p from all orders, counted apart.
TEST(RankDiagram, HasTheRanksAndDifferenceThatSciPyGives) {
  const auto diagram = diagram_of(seven_datasets());
  ASSERT_TRUE(diagram);
  EXPECT_EQ(diagram->models, (std::vector<std::string>{"gcn", "gat", "sgc", "mlp"}));
  const std::vector<double> ranks = {1.2142857143, 2.4285714286, 2.7142857143, 3.6428571429};
  for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_NEAR(diagram->ranks[i], ranks[i], 1e-9);
  EXPECT_NEAR(diagram->test.critical_difference, 1.7728003, 1e-4);
  EXPECT_NEAR(diagram->test.friedman.chi_squared, 12.8260869565, 1e-9);
  EXPECT_NEAR(diagram->test.friedman.f, 9.4148936170, 1e-8);
  EXPECT_NEAR(diagram->test.friedman.p, 0.001645113051509988, 1e-12);
  EXPECT_EQ(diagram->test.friedman.p_is, FriedmanP::kCounted);
  EXPECT_EQ(friedman_text(diagram->test),
            "Friedman's test of 4 models over 7 data sets: F = 9.41 after Iman and Davenport, p = "
            "0.002 (counted over all orders of the ranks)");
  using Group = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(diagram->groups, (std::vector<Group>{{0, 2}, {1, 3}}));
}

// Three models that two data sets rank alike do so by chance once in six times.
TEST(RankDiagram, SaysHowOftenChanceRanksAlike) {
  Results results = seven_datasets();
  TableResults& table = results.tables.front();
  std::erase_if(table.cells, [](const CellResults& one) {
    return one.model == "sgc" || (one.dataset != "data1" && one.dataset != "data2");
  });
  std::erase(table.models, "sgc");
  table.datasets = {"data1", "data2"};
  const auto diagram = diagram_of(results);
  ASSERT_TRUE(diagram);
  EXPECT_NEAR(diagram->test.friedman.p, 1.0 / 6, 1e-12);
  EXPECT_EQ(friedman_text(diagram->test),
            "Friedman's test of 3 models over 2 data sets: all 2 data sets rank them alike, p = "
            "0.167 (counted over all orders of the ranks)");
}

// Twelve models on two data sets, of which the second swaps the first two. scipy.stats.f.sf(285,
// 11, 11) is 7.3e-12, far below the chance of such ranks, 1 / 12!; alike, F is unbounded.
TEST(RankDiagram, SaysWhatPIs) {
  for (const bool swap : {true, false}) {
    std::vector<CellResults> cells;
    for (int d = 0; d < 2; ++d)
      for (int m = 0; m < 12; ++m) {
        const int rank = swap && d == 1 && m < 2 ? 1 - m : m;
        cells.push_back(
            cell(fmt::format("data{}", d), fmt::format("m{:02}", m), {0.9 - 0.01 * rank}));
      }
    Results results;
    results.protocol = "twelve";
    results.tables = {made::scores_table(std::move(cells))};
    Report report = make_report(results);
    const auto diagram = rank_diagram(report.tables.front(), results.tables.front());
    ASSERT_TRUE(diagram);
    EXPECT_NEAR(diagram->test.friedman.p * std::tgamma(13.0), 1, 1e-9);
    EXPECT_EQ(friedman_text(diagram->test),
              swap ? "Friedman's test of 12 models over 2 data sets: F = 285.00 after Iman and "
                     "Davenport, p < 0.001 (the chance of these ranks, whichever model has which)"
                   : "Friedman's test of 12 models over 2 data sets: all 2 data sets rank them "
                     "alike, p < 0.001 (the chance of that)");
    report.tables.front().field = diagram->test;
    const auto json = nlohmann::json::parse(find_format("json").render(report, results));
    const auto& friedman = json["tables"][0]["friedman"];
    EXPECT_EQ(friedman["p_is"], "chance-of-ranks");
    EXPECT_EQ(friedman["iman_davenport_f"].is_null(), !swap);
    EXPECT_EQ(friedman["models"], 12);
  }
}

// A third model moves no row of the matrix but by Holm's correction; it moves mean ranks.
TEST(Across, APairDependsOnItsTwoModelsAlone) {
  Results results = seven_datasets();
  const auto all = across_datasets(table_of(results));
  TableResults& table = results.tables.front();
  std::erase_if(table.cells, [](const CellResults& one) { return one.model == "sgc"; });
  std::erase(table.models, "sgc");
  const auto fewer = across_datasets(table_of(results));
  ASSERT_EQ(fewer->models, (std::vector<std::string>{"gcn", "gat", "mlp"}));
  EXPECT_EQ(*fewer->pairs[1].difference, *all->pairs[2].difference);
  EXPECT_EQ(*fewer->pairs[1].duel.p, *all->pairs[2].duel.p);
  EXPECT_LT(*fewer->pairs[1].duel.p_holm, *all->pairs[2].duel.p_holm);
}

// Differences are of the ranks themselves, and below 0 where the first is the better.
TEST(Across, WhereSmallerIsBetterTheSmallerWins) {
  Results results = seven_datasets();
  for (CellResults& one : results.tables.front().cells) {
    one.measure = {"mean-rank"};
    for (PlacedRun& run : one.runs) run.record.test_score = 1 + *run.record.test_score;
  }
  const auto across = across_datasets(table_of(results));
  EXPECT_EQ(across->models.front(), "mlp");
  EXPECT_FALSE(across->larger_is_better);
  EXPECT_LT(*across->pairs.front().difference, 0);
  EXPECT_GT(across->pairs.front().duel.wins, across->pairs.front().duel.losses);
}

// A further metric of which more is better turns no difference of the table's own.
TEST(Across, GoesByTheFirstMetricOfADataSetAlone) {
  Results results = seven_datasets();
  std::vector<CellResults>& cells = results.tables.front().cells;
  for (CellResults& one : cells) one.measure = {"mean-rank"};
  const auto alone = across_datasets(table_of(results));
  const std::vector<CellResults> first = cells;
  for (CellResults one : first) {
    one.measure = {"mrr"};
    cells.push_back(one);
  }
  const auto both = across_datasets(table_of(results));
  EXPECT_FALSE(both->larger_is_better);
  EXPECT_EQ(both->models, alone->models);
  for (std::size_t i = 0; i < alone->pairs.size(); ++i)
    EXPECT_EQ(*both->pairs[i].difference, *alone->pairs[i].difference);
}

TEST(Across, OfOneDataSetOrOneModelThereIsNone) {
  Results one = seven_datasets();
  std::erase_if(one.tables.front().cells,
                [](const CellResults& cell) { return cell.dataset != "data0"; });
  one.tables.front().datasets = {"data0"};
  EXPECT_FALSE(across_datasets(table_of(one)));
  EXPECT_FALSE(diagram_of(one));
  Results alone = seven_datasets();
  std::erase_if(alone.tables.front().cells,
                [](const CellResults& cell) { return cell.model != "gcn"; });
  alone.tables.front().models = {"gcn"};
  EXPECT_FALSE(across_datasets(table_of(alone)));
  EXPECT_FALSE(across_datasets(ReportTable{}));
}

// small_results(): gcn, then mine, then mlp on cora; mine has no score on every fourth split.
TEST(Duels, AreOverTheSplitsThatBothHave) {
  const Results results = made::small_results();
  const ReportTable table = table_of(results);
  const Comparison& cora = table.comparisons.front();
  ASSERT_EQ(cora.models, (std::vector<std::string>{"gcn", "mine", "mlp"}));
  const std::vector<Duel> duels = duels_on_splits(results.tables.front(), cora);
  ASSERT_EQ(duels.size(), 3u);
  // gcn .81 .82 .80, mine .81 .82 .81, three times.
  EXPECT_EQ(duels[0].wins, 0);
  EXPECT_EQ(duels[0].ties, 6);
  EXPECT_EQ(duels[0].losses, 3);
  EXPECT_EQ(duels[1].wins, 12);
  EXPECT_EQ(duels[2].draws(), 9);
  // All of twelve and of nine to one side: 2 / 2^12 and 2 / 2^9; three to one side: 2 / 2^3.
  EXPECT_NEAR(*duels[1].p, 2.0 / 4096, 1e-12);
  EXPECT_NEAR(*duels[1].p_holm, 3 * 2.0 / 4096, 1e-12);
  EXPECT_NEAR(*duels[2].p_holm, 2 * 2.0 / 512, 1e-12);
  EXPECT_NEAR(*duels[0].p_holm, 0.25, 1e-12);
}

TEST(Pareto, KeepsWhatNothingBeats) {
  const std::vector<CostPoint> points = {{1, 50}, {2, 60},  {3, 60}, {4, 55},  {5, 70},
                                         {1, 50}, {{}, 99}, {9, {}}, {0.5, 10}};
  EXPECT_EQ(pareto(points, true),
            (std::vector<bool>{true, true, false, false, true, true, false, false, true}));
  EXPECT_EQ(pareto({{1, 5}, {2, 3}, {3, 4}}, false), (std::vector<bool>{true, true, false}));
  EXPECT_TRUE(pareto({}, true).empty());
}

}  // namespace
}  // namespace cupel::report
