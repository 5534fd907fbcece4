// The steps of make_report that more than one of its files needs.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cupel/judge/report/table.h"
#include "cupel/judge/stats/ranks.h"
#include "cupel/judge/stats/tests.h"
#include "cupel/learn/score/scale.h"

namespace cupel::report {

using cupel::scale_of;

// The scores of a cell in report units by split and initialisation. Throws Error naming the run if
// a finished run has no finite score.
using ScoresByInit = std::map<int, std::map<int, double>>;
[[nodiscard]] ScoresByInit scores_by_init(const CellResults& cell);
// The same by split, in the order of initialisations.
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
  [[nodiscard]] int decimals(const Measure& measure) const;
  // The unit of the last digit that the table prints for this metric: 0.1 for 81.5 and 70.0. A
  // value of 70 may be 70.0, so all values of the metric are looked at.
  [[nodiscard]] double unit(const Measure& measure) const;
  [[nodiscard]] const std::vector<PublishedValue>& values() const { return values_; }
  // Comparisons that the protocol makes with them, whatever was run: one for each value and one for
  // each reading of its row, but none for those of quoted rows.
  [[nodiscard]] int family() const;
  // Rows that the publication ranks on a data set.
  [[nodiscard]] int ranked(const std::string& dataset) const;
  // How spreads are stated where the table's values agree on it, for rows without a value; else "".
  [[nodiscard]] std::string usual_spread() const;

 private:
  std::vector<PublishedValue> values_;
  std::map<std::string, std::string> reading_of_;  // such a row shares the values of another
  std::set<std::string> quoted_;                   // rows whose values nothing is compared with
};

// What a cell is judged by.
struct CellEvidence {
  OwnMean own;
  std::optional<LookMeans> looks;  // where its runs end as soon as it is decided
};

// Fills published values, gaps and verdicts of all cells of a table, and what they rest on.
// measured: one per cell. `comparable` is false where ours covers something else than published.
void judge_cells(ReportTable& table, const std::vector<CellEvidence>& measured,
                 const Published& published, bool comparable);

// The score table that a derived one reads. Throws Error if there is none.
[[nodiscard]] const TableResults& source_of(const Results& results, const TableResults& table);

// True of kinds of spread that are taken over the means of splits.
[[nodiscard]] bool is_over_splits(const std::string& spread_kind);
// True of the larger side of a 95 % bootstrap interval over all runs.
[[nodiscard]] bool is_bootstrapped(const std::string& spread_kind);

// The mean of a cell's scores, its spread of the published kind, and the error that fits the way
// its splits came about:
//   random splits     over splits; over initialisations where there is one split and the published
//                     spread is over them
//   cross-validation  over repetitions, where kFewestDraws of them are complete; the others are
//                     then left out, and the published mean is taken for one more. With fewer, that
//                     of one cross-validation over its folds, an upper bound for this data set
//   fixed splits      over initialisations, where each split has two or more: the published runs
//                     were on the same splits. Else over the splits, an upper bound
[[nodiscard]] OwnMean own_mean(const ScoresBySplit& scores, const SplitDesign& design,
                               const std::string& spread_kind);

// The looks at a cell that are planned, and the means at those whose runs were all made: over the
// first so many splits, or over the first so many initialisations of splits that are shared. A run
// that failed keeps its place, so that later runs change no look; a look of which all failed has no
// estimate.
[[nodiscard]] LookMeans look_means(const CellResults& source, const SplitDesign& design,
                                   const std::string& spread_kind);

// Fills what is ours in a cell; returns its mean for the test. `spread_kind` is that of the
// published value, "" if none is; `key` names the bootstrap's stream.
[[nodiscard]] CellEvidence measure(Cell& cell, const CellResults& source, const SplitDesign& design,
                                   const std::string& spread_kind, const std::string& key);
// Whether a program did the run that nothing kept apart. Runs from before that was noted are not
// known to be.
[[nodiscard]] bool is_not_isolated(const RunRecord& record);
// A sentence that names the cells of a score table with such runs; "" if there are none.
[[nodiscard]] std::string isolation_note(const TableResults& table);
// What a cell's bootstrap is called, so that it never moves.
[[nodiscard]] std::string interval_key(const Results& results, const std::string& table,
                                       const Cell& cell);
// The metric of a data set's cells: the first of them.
[[nodiscard]] Measure measure_on(const TableResults& table, const std::string& dataset);
// Friedman's test of models over data sets, of each of which a block holds a value per model, and
// Nemenyi's difference at 5 %.
[[nodiscard]] FieldTest field_test(const std::vector<std::vector<double>>& blocks);
// What is to be said of how configurations were chosen.
[[nodiscard]] std::vector<std::string> choice_notes(const ReportTable& table);

// The cells of report.models x report.columns from the runs of `source`, judged against its
// published values.
void fill_cells(ReportTable& report, const Results& results, const TableResults& source);

[[nodiscard]] ReportTable scores_table(const Results& results, const TableResults& table);
[[nodiscard]] ReportTable relative_table(const Results& results, const TableResults& table);
[[nodiscard]] ReportTable ranks_table(const Results& results, const TableResults& table);
[[nodiscard]] ReportTable readings_table(const Results& results, const TableResults& table);

// Notes on columns whose gaps lie to one side more often than chance explains.
[[nodiscard]] std::vector<std::string> sign_notes(const ReportTable& table);
// How many rows delta does not tell apart by their published means, where a cell is equivalent to
// one; "" if there are none. A reading and the row that it reads are one.
[[nodiscard]] std::string company_note(const ReportTable& table, const Published& published);
// Which runs are left out as stores disagree about them, or "".
[[nodiscard]] std::string conflict_note(const ReportTable& table);

// Which columns have no letters, as there are too few; "" if none.
[[nodiscard]] std::string letters_note(const ReportTable& table);
// The paired comparison of all models in one column of a score table.
[[nodiscard]] Comparison compare(const TableResults& table, const Column& column,
                                 const std::vector<std::string>& models);

}  // namespace cupel::report
