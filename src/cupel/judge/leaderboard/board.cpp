#include "cupel/judge/leaderboard/board.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "cupel/judge/report/print.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

// Ids of the runs behind each cell.
const CellResults* runs_of(const Results& results, const ReportTable& table, const Cell& cell) {
  for (const TableResults& one : results.tables) {
    if (one.id != table.id) continue;
    for (const CellResults& found : one.cells)
      if (found.dataset == cell.column.dataset && found.model == cell.model &&
          found.measure == cell.column.measure)
        return &found;
  }
  return nullptr;
}

// What the cell's runs were on; of a cell without runs, what those of its neighbours were.
std::optional<page::DatasetUse> data_of(const Results& results, const ReportTable& table,
                                        const Cell& cell) {
  const CellResults* own = runs_of(results, table, cell);
  if (own != nullptr && !own->runs.empty()) return page::use_of(*own);
  for (const TableResults& one : results.tables) {
    if (one.id != table.id) continue;
    for (const CellResults& found : one.cells)
      if (found.dataset == cell.column.dataset && !found.runs.empty()) return page::use_of(found);
  }
  return {};
}

std::int64_t redone_of(const CellResults* cell, const BoardSource& source) {
  if (cell == nullptr) return 0;
  return std::ranges::count_if(
      cell->runs, [&](const PlacedRun& run) { return source.reproduced.contains(run.record.id); });
}

// Which source reports what of a model, in a row of reported values that differ.
std::string dispute_of(const BoardRow& row, const std::vector<BoardSource>& sources) {
  const auto said = [&](const BoardValue& value) {
    return fmt::format("{} ({})", value.text, sources[*value.told_by].name);
  };
  std::vector<std::string> all = {said(row.value)};
  for (const BoardValue& value : row.others) all.push_back(said(value));
  return fmt::format(
      "sources differ in what a publication reports of {}: {}; compare them with it, and take away "
      "what is wrong",
      row.value.model, fmt::join(all, ", "));
}

}  // namespace

const char* to_words(Tier tier) {
  switch (tier) {
    case Tier::kReproduced:
      return "reproduced here";
    case Tier::kRecomputed:
      return "recomputed from predictions";
    case Tier::kRecorded:
      return "recorded in a store";
    case Tier::kReported:
      break;
  }
  return "reported";
}

const char* to_words(Unranked why) {
  switch (why) {
    case Unranked::kIncomplete:
      return "incomplete";
    case Unranked::kDisputed:
      return "disputed";
    case Unranked::kBroken:
      return "does not hold";
    case Unranked::kNo:
      break;
  }
  return "";
}

bool holds(const BoardSource& source) {
  return source.problems.empty() &&
         (!source.signature || source.signature->state != SignatureCheck::State::kTampered);
}

std::size_t BoardMaker::add(BoardSource source) {
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

BoardMaker::Question& BoardMaker::question(const Results& results, const std::string& version,
                                           const ReportTable& table, const Column& column,
                                           const std::optional<page::DatasetUse>& data) {
  for (Question& known : questions_) {
    BoardTable& head = known.head;
    if (head.protocol != results.protocol || head.version != version || head.table != table.id ||
        head.column != column)
      continue;
    // Published values alone say nothing of the data.
    if (head.data && data && !page::same_data(*head.data, *data)) continue;
    if (!head.data) head.data = data;
    return known;
  }
  questions_.push_back(
      {{results.protocol, version, results.title, table.id, table.title, column, data, {}, {}},
       {}});
  return questions_.back();
}

void BoardMaker::add(const Results& results, const std::string& version, std::size_t source,
                     bool shipped) {
  const BoardSource& from = sources_.at(source);
  const bool may_report = shipped || holds(from);
  for (const ReportTable& table : make_report(results).tables) {
    if (table.kind != "scores") continue;
    for (const Cell& cell : table.cells) {
      // A reading has the published value of the row that it reads, which is there once.
      const bool reported =
          cell.published_mean && may_report && !results.reading_of.contains(cell.model);
      if (!cell.mean && !reported) continue;
      std::vector<BoardValue>& values =
          question(results, version, table, cell.column, data_of(results, table, cell)).values;
      if (cell.mean) {
        BoardValue value{.model = cell.model,
                         .tier = Tier::kRecorded,
                         .text = report::mean_text(cell),
                         .mean = *cell.mean,
                         .n = cell.n,
                         .expected_n = cell.expected_n,
                         .source = source};
        value.redone = redone_of(runs_of(results, table, cell), from);
        if (from.submission)
          value.tier = Tier::kRecomputed;
        else if (value.redone > 0)
          value.tier = Tier::kReproduced;
        values.push_back(std::move(value));
      }
      if (!reported) continue;
      BoardValue value{.model = cell.model,
                       .tier = Tier::kReported,
                       .text = report::published_text(cell),
                       .mean = *cell.published_mean,
                       .spread = cell.published_spread};
      if (!shipped) value.told_by = source;
      const bool known = std::ranges::any_of(values, [&](const BoardValue& other) {
        return other.tier == Tier::kReported && other.model == value.model &&
               other.mean == value.mean && other.spread == value.spread;
      });
      if (!known) values.push_back(std::move(value));
    }
  }
}

Board BoardMaker::board() const {
  Board out;
  out.sources = sources_;
  const auto broken = [&](const BoardValue& value) {
    return value.source && !holds(sources_[*value.source]);
  };
  const auto date = [&](const BoardValue& value) {
    return value.source ? sources_[*value.source].date : std::string();
  };
  const auto name = [&](const BoardValue& value) {
    return value.source ? sources_[*value.source].name : std::string();
  };
  for (const Question& question : questions_) {
    BoardTable table = question.head;
    const auto unranked = [&](const BoardRow& row) {
      if (broken(row.value)) return Unranked::kBroken;
      if (row.value.tier == Tier::kReported && !row.others.empty()) return Unranked::kDisputed;
      return is_complete(row.value) ? Unranked::kNo : Unranked::kIncomplete;
    };
    // What does not hold, and what is reported, are rows of their own.
    std::map<std::tuple<bool, bool, std::string>, std::vector<BoardValue>> by_model;
    for (const BoardValue& value : question.values)
      by_model[{broken(value), value.tier == Tier::kReported, value.model}].push_back(value);
    for (auto& [key, values] : by_model) {
      std::ranges::sort(values, [&](const BoardValue& a, const BoardValue& b) {
        return std::tuple(date(b), name(a)) < std::tuple(date(a), name(b));
      });
      const auto best = std::ranges::min_element(values, {}, [](const BoardValue& value) {
        return std::pair(!is_complete(value), value.tier);
      });
      BoardRow row;
      row.value = *best;
      values.erase(best);
      row.others = std::move(values);
      row.unranked = unranked(row);
      if (row.unranked == Unranked::kDisputed) table.disputes.push_back(dispute_of(row, sources_));
      table.rows.push_back(std::move(row));
    }
    const MetricScale scale = scale_of_metric(table.column.measure.metric);
    std::ranges::stable_sort(table.rows, [&](const BoardRow& a, const BoardRow& b) {
      if (a.unranked != b.unranked) return a.unranked < b.unranked;
      return scale.is_better(a.value.mean, b.value.mean);
    });
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      BoardRow& row = table.rows[i];
      if (row.unranked != Unranked::kNo) break;
      const bool equal = i > 0 && table.rows[i - 1].value.mean == row.value.mean;
      row.rank = equal ? table.rows[i - 1].rank : static_cast<int>(i) + 1;
    }
    out.tables.push_back(std::move(table));
  }
  return out;
}

}  // namespace cupel
