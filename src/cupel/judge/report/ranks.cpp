// Ranks of rows by their means, data set by data set (Platonov et al. 2023, Table 2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cupel/judge/report/build.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/stats/tests.h"

namespace cupel::report {
namespace {

// The published rank stands in a table of ranks, or beside the means that it was made of.
const PublishedValue* find_rank(const Published& own, const Published& source,
                                const std::string& model, const Column& column) {
  const PublishedValue* value = own.find(model, column);
  return value != nullptr ? value : source.find(model, column);
}

int rank_decimals(const Cell& cell) {
  const auto whole = [](const std::optional<double>& value) {
    return !value || *value == std::floor(*value);
  };
  return whole(cell.mean) && whole(cell.published_mean) ? 0 : 1;
}

// Leaves the splits that all rows have which have any, as means over others are not to be compared.
// Rows without a common split keep all. Returns how many splits are common, where rows differed.
std::optional<std::size_t> keep_common(std::vector<ScoresBySplit>& rows) {
  std::vector<std::map<int, double>> means;
  for (const ScoresBySplit& row : rows) means.push_back(split_means(row));
  const std::set<int> common = common_splits(means);
  const bool alike = std::ranges::all_of(
      rows, [&](const ScoresBySplit& row) { return row.empty() || row.size() == common.size(); });
  if (alike) return std::nullopt;
  for (ScoresBySplit& row : rows)
    std::erase_if(row,
                  [&](const auto& one) { return !common.empty() && !common.contains(one.first); });
  return common.size();
}

// Ranks the cells of one column that have scores; `rows` are these, empty without, larger being
// better times `sign`; `published` is how many rows the publication ranks. A rank among some rows
// is not set against a published one among more, or others.
void rank_column(std::vector<Cell*>& cells, const std::vector<ScoresBySplit>& rows, double sign,
                 int published, StreamKey key) {
  std::vector<double> means;
  std::vector<std::map<int, double>> present;
  bool alike = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    alike = alike && rows[i].empty() == !cells[i]->published_mean;
    if (rows[i].empty()) continue;
    means.push_back(sign * clustered_estimate(rows[i]).mean);
    present.push_back(split_means(rows[i]));
    for (auto& [split, mean] : present.back()) mean *= sign;
  }
  alike = alike && static_cast<int>(means.size()) == published;
  const std::vector<double> ranks = ranks_from_best(means);
  const auto intervals = rank_intervals(present, kFewestDraws, key);
  for (std::size_t i = 0, next = 0; i < cells.size(); ++i) {
    Cell& cell = *cells[i];
    if (rows[i].empty()) {
      cell.mean.reset();
      cell.verdict = Verdict::kNoRuns;
    } else {
      cell.mean = ranks[next];
      if (intervals) cell.interval = (*intervals)[next];
      ++next;
      cell.verdict = !cell.published_mean ? Verdict::kNotPublished
                     : alike              ? Verdict::kNotTested
                                          : Verdict::kNotComparable;
      if (cell.verdict == Verdict::kNotTested) cell.gap = *cell.mean - *cell.published_mean;
    }
    cell.decimals = rank_decimals(cell);
  }
}

}  // namespace

ReportTable ranks_table(const Results& results, const TableResults& table) {
  const TableResults& source = source_of(results, table);
  const Published own(results, table.id), of_source(results, source.id);
  ReportTable report;
  report.id = table.id;
  report.title = table.title;
  report.kind = table.kind;
  report.source = table.source;
  report.models = table.models;
  for (const std::string& dataset : table.datasets) report.columns.push_back({dataset, kRank});
  report.cells.resize(report.models.size() * report.columns.size());
  std::vector<std::string> correlations, missing, uneven;
  for (std::size_t c = 0; c < report.columns.size(); ++c) {
    const Column& column = report.columns[c];
    std::vector<Cell*> cells;
    std::vector<ScoresBySplit> rows;
    const Column scored{column.dataset, measure_on(source, column.dataset)};
    const double sign = scale_of(scored.measure).larger_is_better ? 1 : -1;
    for (std::size_t r = 0; r < report.models.size(); ++r) {
      Cell& cell = report.cells[r * report.columns.size() + c];
      cell.model = report.models[r];
      cell.column = column;
      if (const auto* value = find_rank(own, of_source, cell.model, column)) {
        cell.published_mean = value->mean;
        cell.published_n = value->n_runs;
      }
      Cell measured;
      measured.model = cell.model;
      measured.column = scored;
      ScoresBySplit scores;
      if (const CellResults* from = find_cell(source, scored, cell.model)) {
        (void)measure(measured, *from, source.design, "",
                      interval_key(results, source.id, measured));
        scores = scores_of(*from);
      }
      cell.expected_n = measured.expected_n;
      cell.failed = measured.failed;
      cell.timed_out = measured.timed_out;
      cell.mean = measured.mean;
      cells.push_back(&cell);
      rows.push_back(std::move(scores));
      if (!measured.mean) missing.push_back(fmt::format("{} on {}", cell.model, column.dataset));
    }
    if (const auto common = keep_common(rows))
      uneven.push_back(fmt::format("{} ({})", column.dataset, *common));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      cells[r]->splits = static_cast<int>(rows[r].size());
      for (const auto& [split, values] : rows[r]) cells[r]->n += static_cast<int>(values.size());
    }
    rank_column(
        cells, rows, sign, std::max(own.ranked(column.dataset), of_source.ranked(column.dataset)),
        stream_key(fmt::format("ranks/{}/{}/{}", results.protocol, table.id, column.dataset)));
    std::vector<double> ours, theirs;
    for (const Cell* cell : cells) {
      if (!cell->gap) continue;
      ours.push_back(*cell->mean);
      theirs.push_back(*cell->published_mean);
    }
    if (ours.size() >= 3)
      correlations.push_back(fmt::format("{} on {} ({} rows)", fixed(kendall(ours, theirs), 2),
                                         column.dataset, ours.size()));
  }
  if (!correlations.empty())
    report.notes.push_back(fmt::format("Kendall's rank correlation with the published ranks: {}.",
                                       fmt::join(correlations, ", ")));
  if (!uneven.empty())
    report.notes.push_back(fmt::format(
        "Rows have different splits; they are ranked by their means over those that all of them "
        "have, where there are any: {}.",
        fmt::join(uneven, ", ")));
  const bool any = std::any_of(report.cells.begin(), report.cells.end(),
                               [](const Cell& cell) { return cell.mean.has_value(); });
  if (any && !missing.empty())
    report.notes.push_back(fmt::format("Ranked are the rows that have scores; without: {}.",
                                       fmt::join(missing, ", ")));
  return report;
}

}  // namespace cupel::report
