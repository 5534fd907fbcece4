#include "cupel/judge/report/build.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cupel/base/error.h"
#include "cupel/judge/report/counted.h"
#include "cupel/judge/report/event_scores.h"
#include "cupel/judge/report/print.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace report {
namespace {

std::optional<double> runs_of(const PublishedValue& value) {
  int runs = 0;
  const char* end = value.n_runs.data() + value.n_runs.size();
  const auto [at, error] = std::from_chars(value.n_runs.data(), end, runs);
  if (error != std::errc() || at != end || runs < 1) return std::nullopt;
  return static_cast<double>(runs);
}

std::optional<double> draws_of(const PublishedValue& value) {
  if (!value.effective_n) return runs_of(value);
  if (*value.effective_n < 1) return std::nullopt;
  return static_cast<double>(*value.effective_n);
}

void put_judgement(Cell& cell, const Judgement& judgement) {
  cell.gap_interval = judgement.interval;
  cell.smallest_delta = judgement.smallest_delta;
  cell.verdict = judgement.verdict;
}

// Judges one mean at these levels; false where it has no error to be judged by. `made`: draws that
// there are, which may be more than those of the mean.
bool judge_mean(Cell& cell, const OwnMean& ours, int made, const PublishedMean& published,
                double delta, const Levels& levels) {
  if (ours.estimate && cell.no_more_runs && published.spread_kind == "deterministic") {
    put_judgement(cell, judge_drawless(*cell.gap, published.unit, delta));
    cell.drawless = true;
    cell.basis = "nothing is drawn on either side; the gap is known but for rounding";
    return true;
  }
  if (!ours.estimate || !ours.estimate->standard_error) {
    cell.basis = ours.estimate ? "one independent draw" : "no run with a score";
    return false;
  }
  const GapTest test = test_gap(ours, published);
  const int draws = ours.estimate->draws;
  const Judgement judgement = judge(test, draws, delta, levels);
  cell.gap = test.gap.value;  // of the runs that are judged: there may be more
  put_judgement(cell, judgement);
  cell.detectable_gap = judgement.detectable_gap;
  cell.p = test.gap.p;
  cell.p_corrected = judgement.p_corrected;
  cell.basis = test.basis;
  if (draws < kFewestDraws)
    cell.basis = fmt::format("fewer than {} independent draws; {}", kFewestDraws, cell.basis);
  cell.runs_to_decide.reset();
  const bool may_go_on = judgement.verdict == Verdict::kUndecided && !cell.no_more_runs;
  cell.sharper = may_go_on ? ours.sharper : "";
  if (judgement.draws && may_go_on && cell.sharper.empty())
    cell.runs_to_decide =
        std::max(1.0, std::ceil((*judgement.draws - std::max(draws, made)) * ours.runs / draws));
  return true;
}

// Says that so many looks were taken.
void set_look(Cell& cell, const LookMeans& looks, std::size_t taken) {
  if (taken == 0) return;
  cell.looks = static_cast<int>(looks.sizes.size());
  cell.look = static_cast<int>(taken);
  cell.look_size = looks.sizes[taken - 1];
}

// Looks come one after the other, each at its own level; the first that decides is the last.
void judge_cell(Cell& cell, const CellEvidence& evidence, const PublishedMean& published,
                double delta, const Levels& levels) {
  const int made = evidence.own.estimate ? evidence.own.estimate->draws : 0;
  if (!evidence.looks || evidence.looks->means.empty()) {
    (void)judge_mean(cell, evidence.own, made, published, delta, levels);
    // Before the first look nothing may be concluded.
    if (evidence.looks) cell.verdict = Verdict::kUndecided;
    return;
  }
  const LookMeans& looks = *evidence.looks;
  const std::vector<Levels> at = levels_of_looks(looks.sizes, levels);
  for (std::size_t k = 0; k < looks.means.size(); ++k) {
    set_look(cell, looks, k + 1);
    // The same arithmetic makes the same of the same runs.
    cell.beyond_look = evidence.own.estimate && looks.means[k].estimate &&
                       evidence.own.estimate->mean != looks.means[k].estimate->mean;
    if (judge_mean(cell, looks.means[k], made, published, delta, at[k]) &&
        cell.verdict != Verdict::kUndecided)
      return;
  }
  const OwnMean& ours = looks.means.back();
  if (!ours.estimate || !ours.estimate->standard_error) return;
  // At the best that later looks allow.
  Levels later{0, 0};
  for (std::size_t k = looks.means.size(); k < at.size(); ++k)
    later = {std::max(later.equivalent, at[k].equivalent),
             std::max(later.different, at[k].different)};
  cell.given_up = looks.means.size() < at.size() &&
                  !may_be_decided(ours, test_gap(ours, published), delta, later);
}

}  // namespace

ScoresByInit scores_by_init(const CellResults& cell) {
  const double unit = scale_of(cell.measure).unit;
  ScoresByInit ordered;
  for (const PlacedRun& run : cell.runs) {
    const RunRecord& record = run.record;
    if (!counts(record)) continue;
    if (!record.test_score || !std::isfinite(*record.test_score)) {
      fail(
          "run {} ({} on {}, split {}, initialisation {}) is finished but its test score is {}; "
          "remove this row from the store and run the protocol again",
          record.id, cell.model, cell.dataset, run.split, run.init,
          record.test_score ? fmt::format("{}", *record.test_score) : "missing");
    }
    ordered[run.split][run.init] = *record.test_score * unit;
  }
  return ordered;
}

ScoresBySplit scores_of(const CellResults& cell) {
  ScoresBySplit scores;
  for (const auto& [split, inits] : scores_by_init(cell)) {
    for (const auto& [init, score] : inits) scores[split].push_back(score);
  }
  return scores;
}

const CellResults* find_cell(const TableResults& table, const Column& column,
                             const std::string& model) {
  for (const CellResults& cell : table.cells) {
    if (cell.model == model && Column{cell.dataset, cell.measure} == column) return &cell;
  }
  return nullptr;
}

const TableResults& source_of(const Results& results, const TableResults& table) {
  for (const TableResults& other : results.tables) {
    if (other.id == table.source && other.kind == "scores") return other;
  }
  fail(
      "protocol {}: table '{}' is derived from table '{}', which is not a score table of the "
      "protocol",
      results.protocol, table.id, table.source);
}

Published::Published(const Results& results, const std::string& table)
    : reading_of_(results.reading_of), quoted_(results.quoted) {
  for (const PublishedValue& value : results.published) {
    if (value.table == table) values_.push_back(value);
  }
}

const PublishedValue* Published::find(const std::string& model, const Column& column) const {
  const auto reading = reading_of_.find(model);
  const std::string& row = reading == reading_of_.end() ? model : reading->second;
  for (const PublishedValue& value : values_) {
    if (value.model == row && value.dataset == column.dataset && value.measure == column.measure) {
      return &value;
    }
  }
  return nullptr;
}

int Published::decimals(const Measure& measure) const {
  int decimals = 0;
  for (const PublishedValue& value : values_) {
    if (value.measure == measure && value.mean)
      decimals = std::max(decimals, decimals_of(*value.mean));
  }
  return decimals;
}

double Published::unit(const Measure& measure) const { return std::pow(10.0, -decimals(measure)); }

int Published::family() const {
  int count = 0;
  for (const PublishedValue& value : values_) {
    if (!value.mean || value.measure == kRank || quoted_.contains(value.model)) continue;
    ++count;
    for (const auto& [row, read] : reading_of_) count += read == value.model;
  }
  return count;
}

int Published::ranked(const std::string& dataset) const {
  return static_cast<int>(
      std::count_if(values_.begin(), values_.end(), [&](const PublishedValue& value) {
        return value.measure == kRank && value.dataset == dataset && value.mean;
      }));
}

std::string Published::usual_spread() const {
  std::string usual;
  for (const PublishedValue& value : values_) {
    if (!value.spread) continue;
    if (!usual.empty() && usual != value.spread_kind) return "";
    usual = value.spread_kind;
  }
  return usual;
}

void judge_cells(ReportTable& table, const std::vector<CellEvidence>& measured,
                 const Published& published, bool comparable) {
  table.family = published.family();
  const Levels levels = levels_for(table.family);
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    Cell& cell = table.cells[i];
    const PublishedValue* value = published.find(cell.model, cell.column);
    if (value != nullptr) {
      cell.published_mean = value->mean;
      cell.published_spread = value->spread;
      cell.published_spread_kind = value->spread_kind;
      cell.published_n = value->n_runs;
    }
    if (!cell.mean) {
      cell.verdict = Verdict::kNoRuns;
      // Where all runs failed they were looked at, too.
      if (cell.published_mean && measured[i].looks)
        set_look(cell, *measured[i].looks, measured[i].looks->means.size());
      continue;
    }
    if (!cell.published_mean) {
      cell.verdict = Verdict::kNotPublished;
      continue;
    }
    cell.gap = *cell.mean - *cell.published_mean;
    if (!comparable) {
      cell.verdict = Verdict::kNotComparable;
      continue;
    }
    cell.verdict = Verdict::kUndecided;
    judge_cell(cell, measured[i],
               {.mean = *value->mean,
                .spread = value->spread,
                .spread_kind = value->spread_kind,
                .draws = draws_of(*value),
                .unit = published.unit(cell.column.measure),
                .runs = runs_of(*value)},
               table.delta, levels);
  }
}

std::vector<std::string> sign_notes(const ReportTable& table) {
  constexpr int kFewest = 5;  // below this all on one side is no surprise
  std::vector<std::string> notes;
  for (const Column& column : table.columns) {
    int above = 0, below = 0;
    for (const Cell& cell : table.cells) {
      if (!(cell.column == column) || !cell.gap_interval) continue;
      above += *cell.gap > 0;
      below += *cell.gap < 0;
    }
    if (above + below < kFewest) continue;
    notes.push_back(
        fmt::format("{}: {} of {} gaps are positive; its cells share splits, so their gaps move "
                    "together and are not so many pieces of evidence.",
                    column.dataset, above, above + below));
  }
  return notes;
}

std::string company_note(const ReportTable& table, const Published& published) {
  int pairs = 0, near = 0;
  for (const Column& column : table.columns) {
    const bool claimed = std::any_of(table.cells.begin(), table.cells.end(), [&](const Cell& cell) {
      return cell.column == column && cell.verdict == Verdict::kEquivalent;
    });
    if (!claimed) continue;
    std::vector<double> means;
    for (const PublishedValue& value : published.values()) {
      if (Column{value.dataset, value.measure} == column && value.mean)
        means.push_back(*value.mean);
    }
    for (std::size_t i = 0; i < means.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        ++pairs;
        near += std::abs(means[i] - means[j]) <= table.delta;
      }
    }
  }
  if (near == 0) return "";
  return fmt::format(
      "An equivalent mean is no proof of the same model: of {} pair{} of published means of a data "
      "set, {} lie{} within δ of each other.",
      pairs, pairs == 1 ? "" : "s", near, near == 1 ? "s" : "");
}

std::string conflict_note(const ReportTable& table) {
  std::vector<std::string> cells;
  for (const Cell& cell : table.cells) {
    if (cell.conflicts == 0) continue;
    std::string text =
        fmt::format("{} of {} on {}", cell.conflicts, cell.model, cell.column.dataset);
    // A cell by another metric has the same runs.
    if (std::find(cells.begin(), cells.end(), text) == cells.end())
      cells.push_back(std::move(text));
  }
  if (cells.empty()) return "";
  return fmt::format(
      "Runs that ended in different ways in stores that were merged are in no number here: {}; "
      "`cupel run` does them again.",
      fmt::join(cells, ", "));
}

}  // namespace report

bool ReportTable::has_runs() const { return std::any_of(cells.begin(), cells.end(), has_begun); }

const Cell* ReportTable::find(const std::string& model, const Column& column) const {
  for (const Cell& cell : cells) {
    if (cell.model == model && cell.column == column) return &cell;
  }
  return nullptr;
}

void check_delta(double delta) {
  if (!std::isfinite(delta) || delta <= 0)
    fail("delta is {}; it is a number of points above 0, within which a gap is none", delta);
}

void set_delta(Results& results, double delta) {
  check_delta(delta);
  for (TableResults& table : results.tables) table.delta = delta;
}

Report make_report(const Results& results) {
  Report report{results.protocol, results.title, {}};
  for (const TableResults& table : results.tables) {
    if (table.kind == "scores") {
      report.tables.push_back(report::scores_table(results, table));
      report.tables.back().event_scores = report::event_scores(table);
    } else if (table.kind == "relative") {
      report.tables.push_back(report::relative_table(results, table));
    } else if (table.kind == "ranks") {
      report.tables.push_back(report::ranks_table(results, table));
    } else if (table.kind == "readings") {
      ReportTable readings = report::readings_table(results, table);
      if (!readings.readings.empty()) report.tables.push_back(std::move(readings));
    } else {
      fail(
          "protocol {}: table '{}' is of kind '{}'; known kinds are scores, relative, ranks and "
          "readings",
          results.protocol, table.id, table.kind);
    }
    if (report.tables.empty() || report.tables.back().id != table.id) continue;
    const TableResults& measured =
        table.kind == "scores" ? table : report::source_of(results, table);
    std::vector<std::string>& notes = report.tables.back().notes;
    if (std::string note = report::isolation_note(measured); !note.empty())
      notes.push_back(std::move(note));
    for (std::string& note : report::event_notes(measured)) notes.push_back(std::move(note));
  }
  return report;
}

}  // namespace cupel
