// Metrics that are not fractions, and metrics of which less is better, through all of a report.
#include <gtest/gtest.h>

#include "cupel/judge/report/build.h"
#include "cupel/judge/report/figures/figures.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

using made::cell;
using made::published;
using made::scores_table;
using made::thrice;

// Three models on one data set, with these four scores three times each.
Results results_of(const std::string& metric, const std::vector<std::vector<double>>& scores,
                   std::vector<PublishedValue> values = {}) {
  Results results;
  results.protocol = "links";
  std::vector<CellResults> cells;
  const char* models[] = {"first", "second", "third"};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    cells.push_back(cell("cora", models[i], thrice(scores[i])));
    cells.back().measure = {metric};
  }
  results.tables = {scores_table(std::move(cells))};
  for (const char* kind : {"relative", "ranks"}) {
    TableResults derived = results.tables[0];
    derived.cells.clear();
    derived.id = kind;
    derived.kind = kind;
    derived.source = "1";
    results.tables.push_back(derived);
  }
  for (PublishedValue& value : values) {
    value.measure = {metric};
    results.published.push_back(std::move(value));
  }
  return results;
}

// Mean ranks: 40, 20 and 80.
Results mean_ranks() {
  return results_of(
      "mean-rank", {{40, 41, 39, 40}, {20, 21, 19, 20}, {80, 81, 79, 80}},
      {published("1", "cora", "first", 40.3, 0.2), published("1", "cora", "second", 25.0, 0.2)});
}

TEST(MetricScale, RanksArePrintedAsTheyAreAndTheSmallestIsTheBest) {
  const ReportTable table = make_report(mean_ranks()).tables[0];
  EXPECT_DOUBLE_EQ(*table.cell(0, 0).mean, 40);
  EXPECT_FALSE(report::is_best(table, 0, 0));
  EXPECT_TRUE(report::is_best(table, 1, 0));
  EXPECT_FALSE(report::is_best(table, 2, 0));
  const std::string caption = report::caption(table);
  EXPECT_TRUE(caption.starts_with("Test mean rank: mean ±")) << caption;
}

TEST(MetricScale, ThoseWhereMoreIsBetterStayInPercent) {
  const ReportTable table =
      make_report(results_of("mrr:ties=optimistic", {{0.4, 0.41}, {0.2, 0.21}})).tables[0];
  EXPECT_NEAR(*table.cell(0, 0).mean, 40.5, 1e-9);
  EXPECT_TRUE(report::is_best(table, 0, 0));
  EXPECT_FALSE(report::is_best(table, 1, 0));
  const std::string caption = report::caption(table);
  EXPECT_TRUE(caption.starts_with("Test MRR (ties: optimistic) in percent: mean ±")) << caption;
}

TEST(MetricScale, PublishedRanksAreJudgedInRanks) {
  const ReportTable table = make_report(mean_ranks()).tables[0];
  // A third of a rank apart, and within one rank; five ranks apart.
  EXPECT_NEAR(*table.cell(0, 0).gap, -0.3, 1e-9);
  EXPECT_EQ(table.cell(0, 0).verdict, Verdict::kEquivalent);
  EXPECT_NEAR(*table.cell(1, 0).gap, -5, 1e-9);
  EXPECT_EQ(table.cell(1, 0).verdict, Verdict::kDifferent);
  std::string said;
  for (const auto& line : report::legend(table)) said += line.text + "\n";
  EXPECT_NE(said.find("within ± 1 rank (δ)"), std::string::npos) << said;
  EXPECT_EQ(report::method(table).find("point"), std::string::npos);
}

TEST(MetricScale, ComparisonsBeginWithTheBest) {
  const ReportTable table = make_report(mean_ranks()).tables[0];
  ASSERT_EQ(table.comparisons.size(), 1u);
  const Comparison& comparison = table.comparisons[0];
  EXPECT_EQ(comparison.models, (std::vector<std::string>{"second", "first", "third"}));
  EXPECT_EQ(comparison.letters.at("second"), "a");
  EXPECT_EQ(comparison.letters.at("third"), "c");
  EXPECT_LT(*comparison.pairs[0].difference, 0) << "a is better by what it has less";
}

TEST(MetricScale, DerivedTablesKnowTheDirection) {
  const Report report = make_report(mean_ranks());
  const ReportTable &relative = report.tables[1], &ranks = report.tables[2];
  const double places[] = {2, 1, 3};
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_DOUBLE_EQ(*relative.cell(row, 1).mean, places[row]);
    EXPECT_DOUBLE_EQ(*ranks.cell(row, 0).mean, places[row]);
    EXPECT_DOUBLE_EQ(ranks.cell(row, 0).interval->low, places[row]);
  }
  EXPECT_DOUBLE_EQ(*relative.cell(1, 0).mean, 100);  // of the best, which is this row
  EXPECT_NEAR(*relative.cell(2, 0).mean, 100 * (2 * 20.0 / 80 + 21.0 / 81 + 19.0 / 79) / 4, 1e-9);
  EXPECT_TRUE(report::is_best(relative, 1, 0) && report::is_best(relative, 1, 1));
}

TEST(MetricScale, FormatsAndFiguresSayTheUnit) {
  const Results results = mean_ranks();
  for (const Format* format : formats()) {
    const std::string text = render(results, *format);
    EXPECT_EQ(text.find("mean rank in percent"), std::string::npos) << format->name;
    EXPECT_EQ(text.find("differences in percent"), std::string::npos) << format->name;
  }
  const Figure svg = make_figures(results)[0];
  EXPECT_NE(svg.content.find("test mean rank<"), std::string::npos);
  EXPECT_EQ(svg.content.find("percent"), std::string::npos);
  const Figure percent = make_figures(results_of("hits@10", {{0.5, 0.6}, {0.4, 0.5}}))[0];
  EXPECT_NE(percent.content.find("test Hits@10 in percent<"), std::string::npos);
}

TEST(MetricScale, UnitsThatAreMixedAreToldApart) {
  Results results = mean_ranks();
  std::vector<CellResults>& cells = results.tables[0].cells;
  for (std::size_t i = 0; i < 3; ++i) {
    cells.push_back(cells[i]);
    cells.back().measure = {"mrr"};
    for (PlacedRun& run : cells.back().runs) *run.record.test_score = 1 / *run.record.test_score;
  }
  const ReportTable table = make_report(results).tables[0];
  const std::string caption = report::caption(table);
  EXPECT_TRUE(caption.starts_with("Test MRR in percent, mean rank: mean ±")) << caption;
  EXPECT_TRUE(report::is_best(table, 1, 0) && report::is_best(table, 1, 1));
  EXPECT_FALSE(report::is_best(table, 2, 0) || report::is_best(table, 2, 1));
}

TEST(MetricScale, OfColumns) {
  EXPECT_EQ(report::scale_of(Measure::of_word("mean-rank_on_rare")).unit, 1);
  EXPECT_EQ(report::scale_of(Measure::of_word("accuracy_on_others")).unit, 100);
  EXPECT_EQ(report::scale_of(Measure::of_word("average_rank")).unit, 1);
  EXPECT_FALSE(report::scale_of(Measure::of_word("rank")).larger_is_better);
  EXPECT_EQ(report::scale_of(Measure::of_word("relative_accuracy")).unit, 100);
  EXPECT_EQ(report::measure_words(Measure::of_word("roc-auc_on_others")), "ROC AUC on others");
  EXPECT_EQ(report::measure_words(Measure::of_word("relative_accuracy")), "relative accuracy");
  EXPECT_EQ(report::measure_words(Measure::of_word("relative_roc-auc")), "relative roc-auc");
  EXPECT_EQ(report::measure_words(Measure::of_word("average_rank")), "average rank");
}

}  // namespace
}  // namespace cupel
