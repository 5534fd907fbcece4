// The steps of make_report that more than one of its files needs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/judge/report/table.h"
#include "cupel/judge/stats/ranks.h"

namespace cupel::report {

// Results are fractions, reports are in percent; ranks are themselves.
[[nodiscard]] double unit_of(const std::string& metric);

// The scores of a cell in report units by split, in the order of initialisations. Throws Error
// naming the run if a finished run has no finite score.
[[nodiscard]] ScoresBySplit scores_of(const CellResults& cell);

// Null if the table has no such cell.
[[nodiscard]] const CellResults* find_cell(const TableResults& table, const Column& column,
                                           const std::string& model);

// The published values of one table.
class Published {
 public:
  Published(const Results& results, const std::string& table);
  // Null if there is no such entry; an entry without mean was printed as not available.
  [[nodiscard]] const PublishedValue* find(const std::string& model, const Column& column) const;
  // How many decimals the table prints for this metric at most.
  [[nodiscard]] int decimals(const std::string& metric) const;
  // The unit of the last digit that the table prints for this metric: 0.1 for 81.5 and 70.0. A
  // value of 70 may be 70.0, so all values of the metric are looked at.
  [[nodiscard]] double unit(const std::string& metric) const;
  [[nodiscard]] const std::vector<PublishedValue>& values() const { return values_; }

 private:
  std::vector<PublishedValue> values_;
  std::map<std::string, std::string> reading_of_;  // such a row shares the values of another
};

// One mean of ours with its error, for the test against the published value.
struct Measured {
  std::optional<Estimate> estimate;
  std::optional<double> sd;
};

// Fills published values, gaps and verdicts of all cells, one family of tests per table.
// measured: one per cell. `comparable` is false where ours covers something else than published.
void judge_cells(std::vector<Cell>& cells, const std::vector<Measured>& measured,
                 const Published& published, const std::vector<bool>& comparable);

// The score table that a derived one reads. Throws Error if there is none.
[[nodiscard]] const TableResults& source_of(const Results& results, const TableResults& table);

// Fills what is ours in a cell; returns its estimate for the test. `key` names the bootstrap's
// stream.
[[nodiscard]] Measured measure(Cell& cell, const CellResults& source,
                               const PublishedValue* published, const std::string& key);
// What a cell's bootstrap is called, so that it never moves.
[[nodiscard]] std::string interval_key(const Results& results, const std::string& table,
                                       const Cell& cell);
// The metric of a data set's cells: the first of them.
[[nodiscard]] std::string metric_on(const TableResults& table, const std::string& dataset);
// What is to be said of how configurations were chosen.
[[nodiscard]] std::vector<std::string> choice_notes(const ReportTable& table);

// With one run on each split, a spread over runs is one over splits, and is called so where
// published ones are.
void name_spreads_alike(std::vector<Cell>& cells);

// The cells of report.models x report.columns from the runs of `source`, judged against its
// published values.
void fill_cells(ReportTable& report, const Results& results, const TableResults& source);

[[nodiscard]] ReportTable scores_table(const Results& results, const TableResults& table);
[[nodiscard]] ReportTable relative_table(const Results& results, const TableResults& table);
[[nodiscard]] ReportTable ranks_table(const Results& results, const TableResults& table);
[[nodiscard]] ReportTable readings_table(const Results& results, const TableResults& table);

// The paired comparison of all models in one column of a score table.
[[nodiscard]] Comparison compare(const TableResults& table, const Column& column,
                                 const std::vector<std::string>& models);

}  // namespace cupel::report
