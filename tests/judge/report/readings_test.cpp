// Tables that know of rows as designed and as released, and of choices.
#include <gtest/gtest.h>

#include "cupel/judge/report/build.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

using made::released_results;

const ReportTable& table_of(const Report& report, const std::string& id) {
  for (const ReportTable& table : report.tables) {
    if (table.id == id) return table;
  }
  throw std::logic_error("no table " + id);
}

std::string printed(const ReportTable& table, const std::string& dataset, const std::string& row) {
  for (const Reading& reading : table.readings) {
    if (reading.column.dataset == dataset && reading.designed == row) return reading.printed;
  }
  return "no reading";
}

TEST(Readings, SayWhichOneWasPrinted) {
  const Report report = make_report(released_results());
  const ReportTable& table = table_of(report, "2-readings");
  ASSERT_EQ(table.readings.size(), 4u);
  EXPECT_EQ(printed(table, "mines", "deep"), "released");
  EXPECT_EQ(printed(table, "mines", "wide"), "both");
  EXPECT_EQ(printed(table, "words", "deep"), "neither");
  EXPECT_EQ(printed(table, "words", "wide"), "not published");
  Results swapped = released_results();
  for (PublishedValue& value : swapped.published) {
    if (value.model == "deep" && value.measure == Measure{"roc-auc"}) value.mean = 91.0;
  }
  EXPECT_EQ(printed(table_of(make_report(swapped), "2-readings"), "mines", "deep"), "designed");
}

TEST(Readings, AreUndecidedWhileOneOfThemCannotBeCompared) {
  Results results = released_results();
  for (CellResults& cell : results.tables[0].cells) {
    if (cell.model == "deep-released") cell.runs.resize(2);
  }
  const Report report = make_report(results);
  EXPECT_EQ(printed(table_of(report, "2-readings"), "mines", "deep"), "undecided");
}

TEST(Readings, ShareThePublishedValue) {
  const Report report = make_report(released_results());
  const ReportTable& table = table_of(report, "2");
  const Cell* cell = table.find("deep-released", {"mines", "roc-auc"});
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->published_mean, 80.95);
  EXPECT_EQ(cell->verdict, Verdict::kEquivalent);
  EXPECT_EQ(cell->decimals, 2);
  EXPECT_EQ(table.find("deep", {"mines", "roc-auc"})->verdict, Verdict::kDifferent);
}

TEST(Ranks, GoByTheMeansOfTheTablesOwnRows) {
  const Report report = make_report(released_results());
  const ReportTable& table = table_of(report, "2-ranks");
  const auto rank = [&](const char* model, const char* dataset) {
    return *table.find(model, {dataset, "rank"})->mean;
  };
  EXPECT_EQ(rank("plain", "mines"), 3);
  EXPECT_EQ(rank("deep", "mines"), 1);  // the released rows do not take part
  EXPECT_EQ(rank("wide", "mines"), 2);
  EXPECT_EQ(rank("deep", "words"), 1);
  const Cell& cell = *table.find("deep", {"mines", "rank"});
  EXPECT_EQ(cell.published_mean, 2);
  EXPECT_EQ(cell.gap, -1);
  EXPECT_EQ(cell.verdict, Verdict::kNotTested);
  EXPECT_EQ(table.find("deep", {"words", "rank"})->verdict, Verdict::kNotPublished);
  // Of the three pairs of rows two are in the published order.
  ASSERT_FALSE(table.notes.empty());
  EXPECT_NE(table.notes[0].find("0.33 on mines"), std::string::npos) << table.notes[0];
}

TEST(Ranks, OfSomeOfTheRowsAreNotThePublishedOnes) {
  Results results = released_results();
  for (CellResults& cell : results.tables[0].cells) {
    if (cell.model == "wide" && cell.dataset == "mines") cell.runs.clear();
  }
  const Report report = make_report(results);
  const ReportTable& table = table_of(report, "2-ranks");
  EXPECT_EQ(table.find("plain", {"mines", "rank"})->mean, 2);
  EXPECT_EQ(table.find("plain", {"mines", "rank"})->verdict, Verdict::kNotComparable);
  EXPECT_NE(table.notes.back().find("wide on mines"), std::string::npos);
}

// A store may have some of the protocol's rows alone; the publication still ranks the others.
TEST(Ranks, AmongFewerRowsThanPublishedAreNotCompared) {
  Results results = released_results();
  PublishedValue other = results.published.back();
  other.model = "elsewhere";
  other.mean = 4;
  results.published.push_back(other);
  const Report report = make_report(results);
  const Cell& cell = *table_of(report, "2-ranks").find("plain", {"mines", "rank"});
  EXPECT_EQ(cell.verdict, Verdict::kNotComparable);
  EXPECT_FALSE(cell.gap.has_value());
}

TEST(Choices, AreTold) {
  const Report report = make_report(released_results());
  const ReportTable& table = table_of(report, "2");
  std::string notes;
  for (const std::string& note : table.notes) notes += note + "\n";
  for (const char* said : {"mean validation score over the runs of a cell, the first of equals: "
                           "deep, wide.",
                           "the mean test score itself, as released scripts did, which is "
                           "optimistic: deep-released, wide-released.",
                           "a part of the protocol's configurations: wide on mines (2 of 5).",
                           "that have all their runs: wide on words (1 of 2)."})
    EXPECT_NE(notes.find(said), std::string::npos) << said << "\nnotes: " << notes;
  const report::Grid grid = report::choices_grid(table);
  ASSERT_EQ(grid.rows.size(), 4u);
  EXPECT_EQ(grid.rows[0].cells, (std::vector<std::string>{"deep", "lr=0.2, l2=0", "lr=0.2, l2=0"}));
  EXPECT_EQ(grid.rows[2].cells[2], "lr=0.2, l2=0 (1 of 2)");
}

TEST(Strata, AreColumnsOfTheirOwn) {
  Results results;
  results.protocol = "p";
  results.tables = {made::scores_table({made::cell("squirrel", "sage", {0.5, 0.6, 0.5}),
                                        made::cell("squirrel", "sage", {0.3, 0.4, 0.3})})};
  results.tables[0].strata = "duplicates";
  results.tables[0].cells[0].measure = {"accuracy", "duplicates"};
  results.tables[0].cells[1].measure = {"accuracy", "others"};
  results.published = {made::published("1", "squirrel", "sage", 51.7, 1.7)};
  results.published[0].measure = {"accuracy", "duplicates"};
  const Report report = make_report(results);
  ASSERT_EQ(report.tables[0].columns.size(), 2u);
  EXPECT_NEAR(*report.tables[0].cells[1].mean, 100.0 / 3, 1e-9);
  EXPECT_EQ(report.tables[0].cells[0].published_mean, 51.7);
  const std::string text = render(results, find_format("text"));
  EXPECT_NE(text.find("squirrel accuracy on duplicates"), std::string::npos) << text;
}

TEST(Metrics, AreNamedInWords) {
  const std::string text = render(released_results(), find_format("text"));
  EXPECT_NE(text.find("Test ROC AUC, accuracy in percent"), std::string::npos) << text;
  EXPECT_NE(text.find("mines ROC AUC"), std::string::npos);
  EXPECT_EQ(text.find("roc-auc"), std::string::npos);
}

}  // namespace
}  // namespace cupel
