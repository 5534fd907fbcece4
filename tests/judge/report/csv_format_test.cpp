// The formats for spreadsheets, read back.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "cupel/base/visible.h"
#include "cupel/judge/report/csv.h"
#include "judge/report/rendered.h"

namespace cupel {
namespace {

using made::hostile_results;
using made::rendered;
using made::small_results;

// RFC 4180, by a small state machine.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        rows.back().back() += c;
        ++i;
      } else if (c == '"') {
        quoted = false;
      } else {
        rows.back().back() += c;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\n') {
      rows.emplace_back(1);
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST(Csv, ReadsBackToTheSameNumbers) {
  for (const Results& results :
       {small_results(), hostile_results(), made::with_identities(small_results())}) {
    const auto rows = parse_csv(rendered("csv", results));
    const Report report = make_report(results);
    const std::vector<std::string> columns = {
        "protocol", "table",   "dataset",    "model",          "metric",           "mean",
        "sd",       "n",       "expected_n", "published_mean", "published_spread", "spread_kind",
        "gap",      "verdict", "gap_low",    "gap_high",       "smallest_delta",   "detectable_gap",
        "look",     "looks",   "p",          "p_corrected",    "seconds_per_run",  "memory_bytes"};
    EXPECT_EQ(rows.at(0), columns);
    std::size_t at = 1;
    const auto same = [](const std::string& field, const std::optional<double>& value) {
      return value ? !field.empty() && std::strtod(field.c_str(), nullptr) == *value
                   : field.empty();
    };
    for (const ReportTable& table : report.tables) {
      for (const Cell& cell : table.cells) {
        const auto& row = rows.at(at++);
        ASSERT_EQ(row.size(), columns.size());
        EXPECT_EQ(row[1], table.id);
        EXPECT_EQ(row[2], visible(cell.column.dataset));
        EXPECT_EQ(row[3], visible(cell.model));
        EXPECT_EQ(row[4], cell.column.measure.word());
        EXPECT_TRUE(same(row[5], cell.mean)) << row[5];
        EXPECT_TRUE(same(row[6], cell.sd)) << row[6];
        EXPECT_EQ(row[7], std::to_string(cell.n));
        EXPECT_EQ(row[8], std::to_string(cell.expected_n));
        EXPECT_TRUE(same(row[9], cell.published_mean)) << row[9];
        EXPECT_TRUE(same(row[10], cell.published_spread)) << row[10];
        EXPECT_TRUE(same(row[12], cell.gap)) << row[12];
        EXPECT_EQ(row[13], to_text(cell.verdict));
        EXPECT_TRUE(same(row[22], cell.seconds_per_run)) << row[22];
        EXPECT_EQ(row[23], cell.memory_bytes ? std::to_string(*cell.memory_bytes) : "");
      }
    }
    EXPECT_EQ(at, rows.size());
  }
}

// What a spreadsheet would compute on opening the file.
TEST(Csv, AFormulaIsNoFormulaAndANumberStaysOne) {
  for (const char* formula : {"=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd", "\t=1", "-",
                              "+", "=", "＝1", "-0x", "+-1"})
    EXPECT_EQ(parse_csv(csv_field(formula) + "\n").at(0).at(0), std::string("'") + formula);
  for (const char* harmless :
       {"-0.5", "+1", "-1e-5", "0", "+0.25", "gcn", "a=b", "", "x@y", "lr=0.1,l2=0"})
    EXPECT_EQ(parse_csv(csv_field(harmless) + "\n").at(0).at(0), harmless);
  Results results = small_results();
  results.protocol = "=HYPERLINK(\"http://example.org\")";
  for (const char* format : {"csv", "csv-runs"})
    EXPECT_EQ(parse_csv(rendered(format, results)).at(1).at(0), "'" + results.protocol);
}

// Every run that stands behind a cell, failed ones too, and nothing else.
TEST(CsvRuns, HasARowForEachRun) {
  const Results results = small_results();
  const auto rows = parse_csv(rendered("csv-runs", results));
  std::size_t runs = 0;
  double sum = 0;
  for (const CellResults& cell : results.tables[0].cells) {
    runs += cell.runs.size();
    for (const PlacedRun& run : cell.runs) sum += run.record.test_score.value_or(0);
  }
  ASSERT_EQ(rows.size(), runs + 1);
  EXPECT_EQ(rows[0][6], "split");
  EXPECT_EQ(rows[0][9], "test_score");
  double read = 0;
  int failed = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), rows[0].size());
    failed += rows[i][8] == "failed" && rows[i][9].empty();
    read += std::strtod(rows[i][9].c_str(), nullptr);
  }
  EXPECT_EQ(failed, 3);
  EXPECT_NEAR(read, sum, 1e-12);
}

}  // namespace
}  // namespace cupel
