// Which mean of a column is marked as the best.
#include <gtest/gtest.h>

#include "cupel/judge/report/print.h"
#include "judge/report/make_results.h"

namespace cupel {
namespace {

using made::cell;

// Rows `first`, `second`, ... with so many splits of one score each.
ReportTable table_of(const std::vector<std::pair<int, double>>& rows) {
  const std::vector<std::string> names = {"first", "second", "third"};
  std::vector<CellResults> cells;
  for (std::size_t i = 0; i < rows.size(); ++i)
    cells.push_back(
        cell("one", names.at(i),
             std::vector<double>(static_cast<std::size_t>(rows[i].first), rows[i].second)));
  Results results;
  results.protocol = "p";
  results.tables = {made::scores_table(std::move(cells))};
  return make_report(results).tables[0];
}

std::vector<bool> best(const ReportTable& table) {
  std::vector<bool> out;
  for (std::size_t row = 0; row < table.models.size(); ++row)
    out.push_back(report::is_best(table, row, 0));
  return out;
}

TEST(Best, OneLuckyRunDoesNotWinOverTen) {
  EXPECT_EQ(best(table_of({{1, 0.9}, {10, 0.8}, {9, 0.85}})),
            (std::vector<bool>{false, true, false}));
  EXPECT_EQ(best(table_of({{1, 0.9}, {3, 0.8}})), (std::vector<bool>{false, true}));
}

// Rows that ran until they were decided have as many splits as each needed.
TEST(Best, TheRowThatTookTheMostSplitsIsNotTheBestForThat) {
  EXPECT_EQ(best(table_of({{28, 0.81}, {100, 0.73}, {10, 0.82}})),
            (std::vector<bool>{false, false, true}));
}

TEST(Best, TiesAreAllBest) {
  EXPECT_EQ(best(table_of({{10, 0.5}, {20, 0.5}})), (std::vector<bool>{true, true}));
}

// Three runs of either have 137 hits of 264.
TEST(Best, MeansThatOnlyRoundingTellsApartAreAllBest) {
  CellResults first = cell("one", "first", {}), second = cell("one", "second", {});
  for (const int hits : {51, 43, 43})
    first.runs.push_back(made::run(0, static_cast<int>(first.runs.size()), hits / 88.0));
  for (const int hits : {47, 46, 44})
    second.runs.push_back(made::run(0, static_cast<int>(second.runs.size()), hits / 88.0));
  Results results;
  results.protocol = "p";
  results.tables = {made::scores_table({first, second})};
  const ReportTable table = make_report(results).tables[0];
  ASSERT_NE(table.cells[0].mean, table.cells[1].mean);
  EXPECT_EQ(best(table), (std::vector<bool>{true, true}));
}

}  // namespace
}  // namespace cupel
