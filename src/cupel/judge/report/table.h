// The report as values: every number that any format shows, computed once from the results.
//
// Units: scores in percent, ranks as they are. Nothing is NaN or infinite; what is not known is
// absent. The model is a pure function of the results.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/judge/report/verdict.h"
#include "cupel/judge/stats/bootstrap.h"
#include "cupel/lab/run/results.h"

namespace cupel {

struct Column {
  std::string dataset;  // "all" in a derived table
  std::string metric;
  friend bool operator==(const Column&, const Column&) = default;
};

struct Cell {
  std::string model;
  Column column;
  // Runs. A diverged run whose rule restored earlier parameters has a score and counts, as it does
  // in published tables; failed and timed-out runs have none.
  int n = 0;           // with a score: those behind the mean
  int expected_n = 0;  // planned
  int splits = 0;      // independent draws behind the mean
  int diverged = 0, failed = 0, timed_out = 0;

  std::optional<double> mean;
  std::optional<double> sd;          // see spread_kind; absent below two values
  std::string spread_kind;           // "sd_ddof1_pooled_runs", "sd_over_inits", "sd_over_splits"
  std::optional<Interval> interval;  // 95 % bootstrap interval of the mean, over splits

  std::optional<double> published_mean, published_spread;
  std::string published_spread_kind, published_n;  // as stated
  std::optional<double> gap;                       // ours - published
  std::optional<double> gap_margin;                // half the 95 % interval of the gap, uncorrected
  std::optional<double> p, p_corrected;
  Verdict verdict = Verdict::kNoRuns;
  std::string basis;  // what the verdict rests on, where it was tested

  int decimals = 1;                  // to print mean and spread with: those of the publication
  std::optional<CellChoice> choice;  // where the model's settings were chosen from several
};

// Two models over the splits that both have scores on.
struct Pair {
  std::string a, b;  // a has the larger mean over all its splits
  int splits = 0;
  // Absent below three common splits.
  std::optional<double> difference;  // mean of a - b over the common splits
  std::optional<double> margin;      // half its 95 % interval, uncorrected
  std::optional<double> p, p_corrected, p_wilcoxon;
  [[nodiscard]] bool distinguishable() const { return p_corrected && *p_corrected <= kAlpha; }
};

// All pairs of models on one data set, corrected together (Holm over the pairs).
struct Comparison {
  Column column;
  std::vector<std::string> models;  // those with scores, best mean first
  std::vector<Pair> pairs;          // (0, 1), (0, 2), ... of `models`
  // Models that share a letter are not distinguishable; 'a' goes to the best. Empty for a model
  // that was not compared.
  std::map<std::string, std::string> letters;
};

// One model on one data set as its authors designed it and as released code ran it. Which of the
// two the published value is: "designed", "released", "both" (it agrees with both, and does not
// tell them apart), "neither", "undecided" (one of them cannot be compared), or "not published".
struct Reading {
  Column column;
  std::string designed, released;  // row names
  std::string printed;
};

// Friedman's test over data sets, and how far apart mean ranks must be to differ.
struct FieldTest {
  int models = 0, datasets = 0;
  double chi_squared = 0, p = 1, critical_difference = 0;
};

struct ReportTable {
  std::string id, title, kind, source, strata;
  std::vector<Column> columns;
  std::vector<std::string> models;
  std::vector<Cell> cells;  // models x columns, row by row
  std::vector<Comparison> comparisons;
  std::optional<FieldTest> field;
  std::vector<Reading> readings;   // of a table of readings, data set by data set
  bool shares_published = false;   // several rows stand beside one published value
  std::vector<std::string> notes;  // sentences on what the numbers cover

  [[nodiscard]] const Cell& cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
  [[nodiscard]] bool has_runs() const;
  // Null if there is no such row or column.
  [[nodiscard]] const Cell* find(const std::string& model, const Column& column) const;
};

struct Report {
  std::string protocol, title;
  std::vector<ReportTable> tables;
};

// Throws Error if the results contradict themselves: a finished run without a finite score, a
// derived table whose source is not there or whose kind is unknown.
[[nodiscard]] Report make_report(const Results& results);

}  // namespace cupel
