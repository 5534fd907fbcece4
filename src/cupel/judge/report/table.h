// The report as values: every number that any format shows, computed once from the results.
//
// Units: fractions in percent, ranks as they are. Nothing is NaN or infinite; what is not known is
// absent. The model is a pure function of the results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/judge/report/verdict.h"
#include "cupel/judge/stats/bootstrap.h"
#include "cupel/judge/stats/tests.h"
#include "cupel/lab/results/results.h"

namespace cupel {

struct Column {
  std::string dataset;  // "all" in a derived table
  Measure measure;
  friend bool operator==(const Column&, const Column&) = default;
};

struct Cell {
  std::string model;
  Column column;
  // Runs. A diverged run whose rule restored earlier parameters has a score and counts, as it does
  // in published tables; failed and timed-out runs have none.
  int n = 0;                    // with a score: those behind the mean
  std::int64_t expected_n = 0;  // planned
  int splits = 0;               // independent draws behind the mean
  int diverged = 0, failed = 0, timed_out = 0;
  int conflicts = 0;     // left out, as stores disagree about them
  int not_isolated = 0;  // of a program that nothing kept from what is not its task
  // Mean over runs with a score, and the most that a run took; absent where not known, and in
  // tables that are derived from others. They depend on the machine, as nothing else here does.
  std::optional<double> seconds_per_run;
  std::optional<std::int64_t> memory_bytes;

  std::optional<double> mean;
  std::optional<double> sd;          // see spread_kind; absent below two values
  std::string spread_kind;           // "sd_ddof1_pooled_runs", "sd_over_inits", "sd_over_splits",
                                     // "sd_ddof0_over_splits", "ci95_bootstrap_pooled_runs",
                                     // "ci95_bootstrap_over_inits"
  std::optional<Interval> interval;  // 95 % bootstrap interval of the mean, or rank, over splits;
                                     // over runs where spread_kind is its larger side

  bool quoted = false;  // of a row that holds published values alone: there is nothing of ours
  std::optional<double> published_mean, published_spread;
  std::string published_spread_kind, published_n;  // as stated
  std::optional<double> gap;  // ours - published; of a cell with looks, that of the runs it judged
  std::optional<Interval> gap_interval;  // at the level of the equivalence tests: 90 %
  std::optional<double> smallest_delta;  // within which the gap would be equivalent
  std::optional<double> detectable_gap;  // found with power 0.8 if it were there
  std::optional<double> p, p_corrected;  // of the gap being 0; corrected by Bonferroni
  Verdict verdict = Verdict::kNoRuns;
  // More runs that would decide an undecided cell if the gap stays; absent where none would, and
  // where the error is an upper bound, for which `sharper` names the option that gives a smaller.
  std::optional<double> runs_to_decide;
  std::string sharper;
  bool no_more_runs = false;  // of a model that draws nothing, on stored splits
  bool drawless = false;      // judged where the publication drew nothing either
  // Of a cell whose runs end as soon as it is decided: the look at which it was, or the last one;
  // of how many, and over how many splits or initialisations. 0: it was looked at once.
  int look = 0, looks = 0, look_size = 0;
  bool given_up = false;     // undecided, and later looks are not likely to change that
  bool beyond_look = false;  // its mean is of more runs than those of the look
  std::string basis;         // what the verdict rests on, where it was tested

  int decimals = 1;                  // to print mean and spread with: those of the publication
  std::optional<CellChoice> choice;  // where the model's settings were chosen from several
};

// Whether a run of it ended, in whatever way.
[[nodiscard]] inline bool has_begun(const Cell& cell) {
  return cell.n + cell.failed + cell.timed_out + cell.diverged + cell.conflicts > 0;
}

// Whether there is something of it to show.
[[nodiscard]] inline bool is_shown(const Cell& cell) {
  return has_begun(cell) || (cell.quoted && cell.published_mean);
}

// Two models over the splits that both have scores on.
struct RowPair {
  std::string a, b;  // a stands before b in Comparison::models
  int splits = 0;
  // Absent below two common splits.
  // Mean of a - b over the common splits; of a cross-validation with kFewestDraws complete
  // repetitions, over those.
  std::optional<double> difference;
  std::optional<Interval> interval;  // 90 %
  std::optional<double> smallest_delta;
  std::optional<double> p, p_corrected, p_wilcoxon;
  // Of a cross-validation: for data like this, not this data set alone (corrected resampled t).
  std::optional<double> p_general;
  Verdict verdict = Verdict::kUndecided;  // or equivalent, or different
  // Common splits, with those there are, that would decide an undecided pair if difference and
  // spread stay: about so many. Absent where splits are stored, since there are no more of them.
  // Of a cross-validation without kFewestDraws complete repetitions, folds count as independent.
  std::optional<std::int64_t> splits_to_decide;
};

// All pairs of models on one data set, corrected over the pairs of the protocol's rows.
struct Comparison {
  Column column;
  // Those with scores, best mean first, but none before one that it was found worse than: means are
  // over all splits of a model, differences over those of both.
  std::vector<std::string> models;
  std::vector<RowPair> pairs;  // (0, 1), (0, 2), ... of `models`
  // Models that share a letter were not found different; 'a' goes to the best. Empty for a model
  // that was not compared, and of all where more letters were needed than there are.
  std::map<std::string, std::string> letters;
};

// Whether some of its models have splits in common to be compared on.
[[nodiscard]] inline bool was_compared(const Comparison& comparison) {
  return std::ranges::any_of(comparison.pairs,
                             [](const RowPair& one) { return one.p.has_value(); });
}

// One model on one data set as its authors designed it and as released code ran it. Which of the
// two the published value is: "designed" or "released" (equivalent to the one, different from the
// other), "both" (equivalent to both), "neither" (different from both), "undecided", or "not
// published".
struct Reading {
  Column column;
  std::string designed, released;  // row names
  std::string printed;
};

// Friedman's test over data sets, and how far apart mean ranks must be to differ.
struct FieldTest {
  Friedman friedman;  // blocks are data sets, treatments models
  int datasets = 0;
  double critical_difference = 0;  // Nemenyi's
  [[nodiscard]] int models() const { return static_cast<int>(friedman.mean_ranks.size()); }
};

// Of facts over time: one score of one model on one data set, the mean over the runs of the cell.
// Fractions in percent.
struct EventScore {
  std::string dataset, model;
  std::string setting, filter;  // "single-step", "time"; of the question "whether" the negatives
  std::string relation, group, metric;
  double value = 0;
  std::int64_t questions = 0;                     // over all splits
  std::map<int, std::int64_t> questions_of = {};  // of each split that has any
  std::string ends = {};  // that are asked for: "both", "target", "source"; empty: none is
};

struct ReportTable {
  std::string id, title, kind, source, strata;
  std::vector<Column> columns;
  std::vector<std::string> models;
  std::vector<Cell> cells;  // models x columns, row by row
  std::vector<Comparison> comparisons;
  std::optional<FieldTest> field;
  std::vector<Reading> readings;         // of a table of readings, data set by data set
  bool shares_published = false;         // several rows stand beside one published value
  double delta = kDefaultDelta;          // of the verdicts, in the metric's unit
  int family = 0;                        // published values that a difference is corrected for
  std::vector<EventScore> event_scores;  // of facts over time, by relation and group
  std::vector<std::string> notes;        // sentences on what the numbers cover

  [[nodiscard]] const Cell& cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
  [[nodiscard]] bool has_runs() const;
  // Whether a row holds published values alone.
  [[nodiscard]] bool is_quoted(std::size_t row) const {
    return !columns.empty() && cell(row, 0).quoted;
  }
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

// Throws Error unless `delta` is a number above 0: no gap is within nothing.
void check_delta(double delta);

// Judges all tables of the results by this delta instead of the protocol's. Throws as above.
void set_delta(Results& results, double delta);

}  // namespace cupel
