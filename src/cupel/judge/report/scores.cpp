// Score tables: one mean per model and data set.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/base/random.h"
#include "cupel/judge/report/build.h"
#include "cupel/judge/report/cost.h"

namespace cupel::report {
namespace {

template <class T>
void add_once(std::vector<T>& list, const T& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

// The table's data sets in its order, each once per metric that its cells have.
std::vector<Column> columns_of(const TableResults& table) {
  std::vector<std::string> datasets = table.datasets;
  for (const CellResults& cell : table.cells) add_once(datasets, cell.dataset);
  const Measure usual = table.cells.empty() ? Measure{"accuracy"} : table.cells.front().measure;
  std::vector<Column> columns;
  for (const std::string& dataset : datasets) {
    const std::size_t before = columns.size();
    for (const CellResults& cell : table.cells) {
      if (cell.dataset == dataset) add_once(columns, Column{dataset, cell.measure});
    }
    if (columns.size() == before) columns.push_back({dataset, usual});
  }
  return columns;
}

// As publications do that print one number behind the mean: all runs are resampled, whichever split
// they are of, and the larger side of the interval is the spread.
void bootstrap_runs(Cell& cell, const ScoresBySplit& scores, const std::string& spread_kind,
                    const std::string& key) {
  constexpr int kResamples = 1000;
  cell.spread_kind = spread_kind;
  cell.sd.reset();
  std::vector<double> runs;
  for (const auto& [split, values] : scores) runs.insert(runs.end(), values.begin(), values.end());
  if (runs.size() < kFewestDraws) return;
  cell.interval = bootstrap_mean(runs, stream_key(key), kResamples);
  cell.sd = std::max(cell.interval->high - *cell.mean, *cell.mean - cell.interval->low);
}

CellEvidence evidence_of(OwnMean own, const CellResults& source, const SplitDesign& design,
                         const std::string& spread_kind) {
  CellEvidence evidence{std::move(own), std::nullopt};
  if (source.looks) evidence.looks = look_means(source, design, spread_kind);
  return evidence;
}

}  // namespace

Measure measure_on(const TableResults& table, const std::string& dataset) {
  for (const CellResults& cell : table.cells) {
    if (cell.dataset == dataset) return cell.measure;
  }
  return table.cells.empty() ? Measure{"accuracy"} : table.cells.front().measure;
}

std::string interval_key(const Results& results, const std::string& table, const Cell& cell) {
  return fmt::format("interval/{}/{}/{}/{}/{}", results.protocol, table, cell.column.dataset,
                     cell.model, cell.column.measure.word());
}

CellEvidence measure(Cell& cell, const CellResults& source, const SplitDesign& design,
                     const std::string& spread_kind, const std::string& key) {
  cell.expected_n = source.expected_n;
  cell.conflicts = static_cast<int>(source.conflicts.size());
  cell.choice = source.choice;
  for (const PlacedRun& run : source.runs) {
    cell.diverged += run.record.status == RunStatus::kDiverged;
    cell.failed += run.record.status == RunStatus::kFailed;
    cell.timed_out += run.record.status == RunStatus::kTimeout;
    cell.not_isolated += is_not_isolated(run.record);
  }
  const Cost cost = cost_of(source);
  cell.seconds_per_run = cost.seconds_per_run;
  cell.memory_bytes = cost.memory_bytes;
  const ScoresBySplit scores = scores_of(source);
  cell.no_more_runs = source.deterministic && design.shared;
  if (scores.empty()) return evidence_of({}, source, design, spread_kind);
  OwnMean own = own_mean(scores, design, spread_kind);
  cell.mean = clustered_estimate(scores).mean;  // of all runs, whichever the error is over
  cell.sd = own.sd;
  cell.splits = static_cast<int>(scores.size());
  for (const auto& [split, values] : scores) cell.n += static_cast<int>(values.size());
  if (is_bootstrapped(spread_kind)) {
    bootstrap_runs(cell, scores, spread_kind, key);
    return evidence_of(std::move(own), source, design, spread_kind);
  }
  const bool over_inits = spread_kind == "sd_over_inits" && cell.splits == 1;
  cell.spread_kind =
      over_inits || is_over_splits(spread_kind) ? spread_kind : "sd_ddof1_pooled_runs";
  std::vector<double> draws;
  if (over_inits) {
    draws = scores.begin()->second;
  } else {
    for (const auto& [split, mean] : split_means(scores)) draws.push_back(mean);
  }
  if (draws.size() >= kFewestDraws) cell.interval = bootstrap_mean(draws, stream_key(key));
  return evidence_of(std::move(own), source, design, spread_kind);
}

void fill_cells(ReportTable& report, const Results& results, const TableResults& source) {
  const Published published(results, source.id);
  report.delta = source.delta;
  std::vector<CellEvidence> measured;
  for (const std::string& model : report.models) {
    for (const Column& column : report.columns) {
      Cell cell;
      cell.model = model;
      cell.column = column;
      cell.quoted = results.quoted.contains(model);
      cell.decimals = std::max(1, published.decimals(column.measure));
      const CellResults* from = find_cell(source, column, model);
      const PublishedValue* value = published.find(model, column);
      const std::string kind = value == nullptr ? published.usual_spread() : value->spread_kind;
      measured.push_back(from == nullptr ? CellEvidence{}
                                         : measure(cell, *from, source.design, kind,
                                                   interval_key(results, source.id, cell)));
      report.cells.push_back(std::move(cell));
    }
  }
  judge_cells(report, measured, published, true);
  report.notes = sign_notes(report);
  if (std::string note = company_note(report, published); !note.empty())
    report.notes.push_back(std::move(note));
}

ReportTable scores_table(const Results& results, const TableResults& table) {
  ReportTable report;
  report.id = table.id;
  report.title = table.title;
  report.kind = table.kind;
  report.strata = table.strata;
  report.columns = columns_of(table);
  report.models = table.models;
  for (const CellResults& cell : table.cells) add_once(report.models, cell.model);
  fill_cells(report, results, table);
  std::vector<std::string> run, quoted;
  for (const std::string& model : report.models)
    (results.quoted.contains(model) ? quoted : run).push_back(model);
  for (const Column& column : report.columns) {
    Comparison comparison = compare(table, column, run);
    if (comparison.models.size() >= 2) report.comparisons.push_back(std::move(comparison));
  }
  if (std::string note = letters_note(report); !note.empty())
    report.notes.push_back(std::move(note));
  if (!quoted.empty())
    report.notes.push_back(fmt::format(
        "Quoted, that is published values alone, which nothing here was compared with: {}.",
        fmt::join(quoted, ", ")));
  for (const std::string& model : report.models)
    report.shares_published = report.shares_published || results.reading_of.contains(model);
  if (std::string note = conflict_note(report); !note.empty()) report.notes.push_back(note);
  for (std::string& note : choice_notes(report)) report.notes.push_back(std::move(note));
  return report;
}

}  // namespace cupel::report
