// Tables derived from others: relative scores and ranks.
#include <gtest/gtest.h>

#include "cupel/base/random.h"
#include "cupel/judge/report/across.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

using made::cell;
using made::published;
using made::small_results;

TEST(Derived, RelativeScoresAndRanksByHand) {
  const Report report = make_report(small_results());
  const ReportTable& table = report.tables[1];
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].measure, Measure{"relative_accuracy"});
  EXPECT_EQ(table.columns[1].measure, Measure{"average_rank"});
  // cora, splits 0..2 (mine failed on split 3); citeseer, splits 0..3 without mlp.
  const double gcn_cora = (1 + 1 + 0.80 / 0.81) / 3;
  const double gcn_citeseer = (0.70 / 0.74 + 0.71 / 0.75 + 0.72 / 0.76 + 0.71 / 0.75) / 4;
  EXPECT_NEAR(*table.cell(0, 0).mean, 50 * (gcn_cora + gcn_citeseer), 1e-9);
  EXPECT_NEAR(*table.cell(0, 1).mean, ((1.5 + 1.5 + 2) / 3 + 2) / 2, 1e-12);
  EXPECT_NEAR(*table.cell(1, 0).mean, 100 * (0.58 / 0.81 + 0.60 / 0.82 + 0.57 / 0.81) / 3, 1e-9);
  EXPECT_NEAR(*table.cell(1, 1).mean, 3, 1e-12);
  EXPECT_NEAR(*table.cell(2, 1).mean, ((1.5 + 1.5 + 1) / 3 + 1) / 2, 1e-12);
  EXPECT_EQ(table.cell(0, 0).n, 21);  // of 24: on cora the splits that mine lacks do not count
  EXPECT_EQ(table.cell(1, 0).n, 9);
  EXPECT_EQ(table.cell(1, 0).expected_n, 24);
  EXPECT_EQ(table.cell(0, 0).verdict, Verdict::kNotPublished);
}

// A row whose runs all failed, or are of splits that no other has, has runs.
TEST(Derived, ARowWithoutAStandingIsNotSaidToHaveNoRuns) {
  Results results = small_results();
  for (CellResults& cell : results.tables[0].cells) {
    if (cell.model != "mlp") continue;
    cell.runs.clear();
    for (int split = 0; split < 12; ++split)
      cell.runs.push_back(made::bad_run(split, 0, RunStatus::kFailed));
  }
  const Report report = make_report(results);
  EXPECT_EQ(report::view_of(report.tables[0]).left_out, "");
  EXPECT_EQ(report::view_of(report.tables[1]).left_out,
            "No scores on the splits that count here: mlp.");
}

PublishedValue derived_value(const std::string& model, double relative) {
  PublishedValue value = published("2a", "all", model, relative, std::nullopt);
  value.measure = {"relative_accuracy"};
  value.effective_n = 8;
  return value;
}

TEST(Derived, IsComparedOnlyIfItCoversWhatThePublicationDoes) {
  Results results = small_results();
  results.published.push_back(derived_value("gcn", 100.0));
  results.published.push_back(derived_value("mlp", 75.0));
  // mlp has a published value on citeseer and no runs there.
  EXPECT_EQ(make_report(results).tables[1].cell(0, 0).verdict, Verdict::kNotComparable);
  // Printed as not available, it is left out of ours too; then both cover the same.
  results.published[3].mean.reset();
  const ReportTable table = make_report(results).tables[1];
  EXPECT_EQ(table.cell(0, 0).verdict, Verdict::kEquivalent);
  // mine has no published value: a guest, measured against gcn and mlp only.
  EXPECT_NEAR(*table.cell(0, 0).mean, 100, 1e-9);
  EXPECT_GT(*table.cell(2, 0).mean, 100);
  EXPECT_EQ(table.cell(2, 0).verdict, Verdict::kNotPublished);
}

// Metrics that a table shows beside its own are not what is compared.
TEST(Derived, MetricsBesideTheTablesOwnChangeNothing) {
  Results results = small_results();
  results.published.push_back(derived_value("gcn", 100.0));
  results.published.push_back(derived_value("mlp", 75.0));
  results.published[3].mean.reset();
  const ReportTable alone = make_report(results).tables[1];
  const std::vector<CellResults> cells = results.tables[0].cells;
  for (CellResults one : cells) {
    one.measure = {"macro-f1"};
    results.tables[0].cells.push_back(one);
  }
  PublishedValue none = published("1", "cora", "gcn", std::nullopt, std::nullopt);
  none.measure = {"macro-f1"};
  results.published.push_back(none);
  const ReportTable table = make_report(results).tables[1];
  EXPECT_EQ(table.columns[0].measure, Measure{"relative_accuracy"});
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(table.cell(row, 0).mean, alone.cell(row, 0).mean) << row;
    EXPECT_EQ(table.cell(row, 0).verdict, alone.cell(row, 0).verdict) << row;
  }
}

TEST(Derived, ADataSetOfThePublicationThatTheProtocolLacksIsMissed) {
  Results results = small_results();
  results.published[3].mean.reset();
  results.published.push_back(derived_value("gcn", 100.0));
  results.published.push_back(derived_value("mlp", 75.0));
  results.published.push_back(published("1", "cora-full", "gcn", 62.2, 0.6));
  const ReportTable table = make_report(results).tables[1];
  EXPECT_EQ(table.cell(0, 0).verdict, Verdict::kNotComparable);
  bool said = false;
  for (const std::string& note : table.notes) said = said || note.find("cora-full") != note.npos;
  EXPECT_TRUE(said);
}

TEST(Derived, ADataSetOfOurOwnMakesAnotherAverage) {
  Results results = small_results();
  results.published[3].mean.reset();
  results.published.push_back(derived_value("gcn", 100.0));
  results.published.push_back(derived_value("mlp", 75.0));
  ASSERT_EQ(make_report(results).tables[1].cell(0, 0).verdict, Verdict::kEquivalent);
  results.tables[0].cells.push_back(cell("./mine.npz", "gcn", {0.5, 0.6, 0.7}));
  results.tables[1].datasets.push_back("./mine.npz");
  EXPECT_EQ(make_report(results).tables[1].cell(0, 0).verdict, Verdict::kNotComparable);
}

// Three models on two data sets. Row a has `splits` splits; beyond the ten that the others have too
// it scores so that its mean is last on cora and first on citeseer.
Results uneven_rows(int splits) {
  const auto scores = [](std::uint32_t row, int count, double first, double later) {
    Stream stream(stream_key("uneven"), row);
    std::vector<double> out;
    for (int s = 0; s < count; ++s)
      out.push_back((s < 10 ? first : later) + 0.002 * stream.next_normal());
    return out;
  };
  Results results;
  results.protocol = "uneven";
  results.tables = {made::scores_table({cell("cora", "a", scores(1, splits, 0.85, 0.40)),
                                        cell("cora", "b", scores(2, 10, 0.80, 0)),
                                        cell("cora", "c", scores(3, 10, 0.60, 0)),
                                        cell("citeseer", "a", scores(4, splits, 0.70, 0.95)),
                                        cell("citeseer", "b", scores(5, 10, 0.80, 0)),
                                        cell("citeseer", "c", scores(6, 10, 0.75, 0))})};
  for (const char* kind : {"ranks", "relative"}) {
    TableResults derived = results.tables[0];
    derived.cells.clear();
    derived.id = derived.kind = kind;
    derived.source = "1";
    results.tables.push_back(derived);
  }
  return results;
}

// Splits that one row alone has place nobody: ranks, their intervals, letters and Friedman's test
// are those of the common splits.
TEST(Derived, UnevenRowsAreRankedOverCommonSplits) {
  const Results more = uneven_rows(50), common = uneven_rows(10);
  const Report report = make_report(more), expected = make_report(common);
  const ReportTable &ranks = report.tables[1], &relative = report.tables[2];
  for (std::size_t i = 0; i < ranks.cells.size(); ++i) {
    const Cell &cell = ranks.cells[i], &other = expected.tables[1].cells[i];
    EXPECT_EQ(*cell.mean, *other.mean) << cell.model;
    EXPECT_EQ(cell.interval->low, other.interval->low) << cell.model;
    EXPECT_TRUE(cell.interval->low <= *cell.mean && *cell.mean <= cell.interval->high);
    EXPECT_EQ(cell.n, 10);
    EXPECT_EQ(cell.splits, 10);
  }
  EXPECT_EQ(*ranks.cell(0, 0).mean, 1);
  EXPECT_EQ(*ranks.cell(0, 1).mean, 3);
  EXPECT_NE(ranks.notes.back().find("cora (10), citeseer (10)"), std::string::npos);
  EXPECT_EQ(expected.tables[1].notes.size() + 1, ranks.notes.size());
  for (std::size_t c = 0; c < 2; ++c) {
    const Comparison &found = report.tables[0].comparisons[c],
                     &right = expected.tables[0].comparisons[c];
    EXPECT_EQ(found.letters, right.letters);
    EXPECT_EQ(found.models, right.models);
    EXPECT_GT(*found.pairs[0].difference, 0) << "the first is the better one";
  }
  // The ranks shown are 2, 1.5 and 2.5 over the two data sets: chi squared is 12 * 2 / (3 * 4) *
  // (0 + 0.25 + 0.25) = 1, and F = 1 / (2 * 2 - 1).
  EXPECT_EQ(*relative.cell(0, 1).mean, 2);
  EXPECT_EQ(*relative.cell(1, 1).mean, 1.5);
  ASSERT_TRUE(relative.field.has_value());
  EXPECT_EQ(report::friedman_text(*relative.field),
            report::friedman_text(*expected.tables[2].field));
  EXPECT_NE(report::friedman_text(*relative.field).find("F = 0.33"), std::string::npos);
  const auto diagram = report::rank_diagram(report.tables[0], more.tables[0]);
  EXPECT_EQ(diagram->ranks, report::rank_diagram(expected.tables[0], common.tables[0])->ranks);
  EXPECT_EQ(diagram->models.front(), "b");
  EXPECT_EQ(report::friedman_text(diagram->test), report::friedman_text(*relative.field));
}

}  // namespace
}  // namespace cupel
