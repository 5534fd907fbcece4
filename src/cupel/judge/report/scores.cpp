// Score tables: one mean per model and data set.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/base/random.h"
#include "cupel/judge/report/build.h"

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
  const std::string usual = table.cells.empty() ? "accuracy" : table.cells.front().metric;
  std::vector<Column> columns;
  for (const std::string& dataset : datasets) {
    const std::size_t before = columns.size();
    for (const CellResults& cell : table.cells) {
      if (cell.dataset == dataset) add_once(columns, Column{dataset, cell.metric});
    }
    if (columns.size() == before) columns.push_back({dataset, usual});
  }
  return columns;
}

// On one fixed split, initialisations are the independent draws; else splits are.
ScoresBySplit by_init(const ScoresBySplit& scores) {
  ScoresBySplit draws;
  int next = 0;
  for (const double score : scores.begin()->second) draws[next++] = {score};
  return draws;
}

std::vector<double> draws_of(const ScoresBySplit& scores) {
  std::vector<double> draws;
  for (const auto& [split, mean] : split_means(scores)) draws.push_back(mean);
  return draws;
}

}  // namespace

std::string metric_on(const TableResults& table, const std::string& dataset) {
  for (const CellResults& cell : table.cells) {
    if (cell.dataset == dataset) return cell.metric;
  }
  return table.cells.empty() ? "accuracy" : table.cells.front().metric;
}

std::string interval_key(const Results& results, const std::string& table, const Cell& cell) {
  return fmt::format("interval/{}/{}/{}/{}/{}", results.protocol, table, cell.column.dataset,
                     cell.model, cell.column.metric);
}

Measured measure(Cell& cell, const CellResults& source, const PublishedValue* published,
                 const std::string& key) {
  cell.expected_n = source.expected_n;
  cell.choice = source.choice;
  for (const PlacedRun& run : source.runs) {
    cell.diverged += run.record.status == RunStatus::kDiverged;
    cell.failed += run.record.status == RunStatus::kFailed;
    cell.timed_out += run.record.status == RunStatus::kTimeout;
  }
  ScoresBySplit scores = scores_of(source);
  if (scores.empty()) return {};
  std::vector<double> all;
  for (const auto& [split, values] : scores) all.insert(all.end(), values.begin(), values.end());
  cell.n = static_cast<int>(all.size());
  cell.splits = static_cast<int>(scores.size());
  cell.spread_kind = "sd_ddof1_pooled_runs";
  const std::string kind = published == nullptr ? "" : published->spread_kind;
  if (kind == "sd_over_inits" && scores.size() == 1) {
    cell.spread_kind = kind;
    scores = by_init(scores);
  }
  const std::vector<double> draws = draws_of(scores);
  if (kind == "sd_over_splits" || kind == "sd_ddof0_over_splits") {
    cell.spread_kind = "sd_over_splits";
    cell.sd = sample_sd(draws);
  } else {
    cell.sd = sample_sd(all);
  }
  Measured measured{clustered_estimate(scores), cell.sd};
  cell.mean = measured.estimate->mean;
  if (draws.size() >= kFewestDraws) cell.interval = bootstrap_mean(draws, stream_key(key));
  return measured;
}

void fill_cells(ReportTable& report, const Results& results, const TableResults& source) {
  const Published published(results, source.id);
  std::vector<Measured> measured;
  for (const std::string& model : report.models) {
    for (const Column& column : report.columns) {
      Cell cell;
      cell.model = model;
      cell.column = column;
      cell.decimals = std::max(1, published.decimals(column.metric));
      const CellResults* from = find_cell(source, column, model);
      measured.push_back(from == nullptr ? Measured{}
                                         : measure(cell, *from, published.find(model, column),
                                                   interval_key(results, source.id, cell)));
      report.cells.push_back(std::move(cell));
    }
  }
  judge_cells(report.cells, measured, published, std::vector<bool>(report.cells.size(), true));
  name_spreads_alike(report.cells);
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
  for (const Column& column : report.columns) {
    Comparison comparison = compare(table, column, report.models);
    if (comparison.models.size() >= 2) report.comparisons.push_back(std::move(comparison));
  }
  for (const std::string& model : report.models)
    report.shares_published = report.shares_published || results.reading_of.contains(model);
  report.notes = choice_notes(report);
  return report;
}

}  // namespace cupel::report
