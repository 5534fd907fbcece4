// Wording and digits that all readable formats share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/base/visible.h"
#include "cupel/judge/report/table.h"
#include "cupel/learn/score/scale.h"

namespace cupel::report {

// Decimals of the shortest text that reads back as this value; 0 where it has an exponent.
[[nodiscard]] int decimals_of(double value);
// Fixed decimals; never "-0.0".
[[nodiscard]] std::string fixed(double value, int decimals);
[[nodiscard]] std::string with_sign(double value, int decimals);
// "0.034" or "< 0.001"; "p = 0.034" or "p < 0.001".
[[nodiscard]] std::string p_number(double p);
[[nodiscard]] std::string p_text(double p);

inline constexpr int kGapDecimals = 2;

// Pieces of a cell; "" where there is nothing to say.
[[nodiscard]] std::string mean_text(const Cell& cell);  // "81.5 ± 1.3"
// "81.5 ± 1.3"; "91.0 ± 0.02" where the publication has more decimals of the spread.
[[nodiscard]] std::string published_text(const Cell& cell);
[[nodiscard]] std::string gap_text(const Cell& cell);    // "+0.08 ± 0.26"
[[nodiscard]] std::string delta_text(const Cell& cell);  // "0.34"
[[nodiscard]] std::string look_text(const Cell& cell);   // "3 of 11 (17)"
[[nodiscard]] std::string runs_text(const Cell& cell);   // "97 of 100", if not all are there
// "2 failed, 1 timed out, 3 diverged"
[[nodiscard]] std::string trouble_text(const Cell& cell);

// "ROC AUC", "accuracy on duplicates".
[[nodiscard]] std::string measure_words(const Measure& measure);
// "ROC AUC in percent", "mean rank": words of a metric, and what its values are in.
[[nodiscard]] std::string in_unit(const std::string& words, const MetricScale& scale);
// True where no column is in percent.
[[nodiscard]] bool is_of_ranks(const ReportTable& table);
[[nodiscard]] std::string column_text(const ReportTable& table, const Column& column);
[[nodiscard]] std::string row_text(const ReportTable& table, std::size_t row);  // "gcn (quoted)"
[[nodiscard]] std::string heading(const ReportTable& table);  // "Table 1. Test accuracy"
// What the numbers are: metric, unit, spread, runs.
[[nodiscard]] std::string caption(const ReportTable& table);
// What diverged runs count as; "" if there are none.
[[nodiscard]] std::string diverged_text(const ReportTable& table);
// How many cells have which verdict; "" if the publication has no value.
[[nodiscard]] std::string tally(const ReportTable& table);
// How the published values were compared; "" if there are none.
[[nodiscard]] std::string method(const ReportTable& table);
// What looks are; "" if no cell has any.
[[nodiscard]] std::string looks_text(const ReportTable& table);
// The gap that the table could have found; "" if nothing was compared.
[[nodiscard]] std::string power_text(const ReportTable& table);
// How many cells are undecided and what would decide them; "" if none is.
[[nodiscard]] std::string open_text(const ReportTable& table);
// "Friedman's test of 4 models over 7 data sets: F = 9.41 after Iman and Davenport, p < 0.001
// (counted over all orders of the ranks)".
[[nodiscard]] std::string friedman_text(const FieldTest& test);
// The same and Nemenyi's difference, as a sentence; "" if there is none.
[[nodiscard]] std::string field_text(const ReportTable& table);
// What the letters of a paired comparison mean, and how they were found.
[[nodiscard]] std::string letters_text(const ReportTable& table);
// "a > b", "a < b", "equivalent", "cannot tell", "too few common splits".
[[nodiscard]] std::string outcome(const RowPair& pair);
// The verdicts with a mark that the table has, with the side of the gap: what its legend explains.
struct LegendLine {
  Verdict verdict;
  double gap;  // its sign
  std::string text;
};
[[nodiscard]] std::vector<LegendLine> legend(const ReportTable& table);

// True if the letters of at least one column separate or join models.
[[nodiscard]] bool has_letters(const ReportTable& table);

// A table beside the main one, or instead of it, as texts. A section is a row of one cell, which
// heads the rows below it.
struct Grid {
  struct Row {
    std::vector<std::string> cells;
    bool section = false;
  };
  std::string title;  // "" for none
  std::vector<std::string> head;
  std::vector<Row> rows;
  std::string note;  // "" for none
};
// The configuration of each cell that chose one; no rows if there is none.
[[nodiscard]] Grid choices_grid(const ReportTable& table);
// A table of readings: published, as designed, as released, and which of the two was printed.
[[nodiscard]] Grid readings_grid(const ReportTable& table);

// The tables that stand behind a table of scores: choices, and scores by group of facts, staleness
// and horizon.
[[nodiscard]] std::vector<Grid> grids_of(const ReportTable& table);

// The rows and columns that have runs, rows that are quoted there, and a sentence on the others.
struct View {
  std::vector<std::size_t> rows, columns;
  std::string left_out;  // "" if nothing is
};
[[nodiscard]] View view_of(const ReportTable& table);

// The largest mean of a column (the smallest, of ranks) among those over kFewestDraws splits, or
// over the most where none has so many; ties are all best.
[[nodiscard]] bool is_best(const ReportTable& table, std::size_t row, std::size_t column);

// `text` with every character that `replacements` lists replaced: escaping, in each format's terms.
[[nodiscard]] std::string replaced(
    std::string_view text, const std::vector<std::pair<char, std::string_view>>& replacements);

// Names may be paths, and paths may hold anything, a terminal's escape sequences included.
using cupel::printable;

// Text for XML and HTML, in elements and quoted attributes; printable.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace cupel::report
