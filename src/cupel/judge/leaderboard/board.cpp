#include "cupel/judge/leaderboard/board.h"

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

std::int64_t redone_of(const CellResults* cell, const BoardSource& source) {
  if (cell == nullptr) return 0;
  return std::ranges::count_if(
      cell->runs, [&](const PlacedRun& run) { return source.reproduced.contains(run.record.id); });
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

bool holds(const BoardSource& source) {
  return source.problems.empty() &&
         (!source.signature || source.signature->state != SignatureCheck::State::kTampered);
}

std::size_t BoardMaker::add(BoardSource source) {
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

BoardMaker::Question& BoardMaker::question(const Results& results, const std::string& version,
                                           const ReportTable& table, const Column& column) {
  for (Question& known : questions_)
    if (known.head.protocol == results.protocol && known.head.version == version &&
        known.head.table == table.id && known.head.column == column)
      return known;
  questions_.push_back(
      {{results.protocol, version, results.title, table.id, table.title, column, {}}, {}});
  return questions_.back();
}

void BoardMaker::add(const Results& results, const std::string& version, std::size_t source) {
  const BoardSource& from = sources_.at(source);
  for (const ReportTable& table : make_report(results).tables) {
    if (table.kind != "scores") continue;
    for (const Cell& cell : table.cells) {
      if (!cell.mean && !cell.published_mean) continue;
      std::vector<BoardValue>& values = question(results, version, table, cell.column).values;
      if (cell.mean) {
        BoardValue value{cell.model, Tier::kRecorded, report::mean_text(cell),
                         *cell.mean, cell.n,          cell.expected_n,
                         0,          source};
        value.redone = redone_of(runs_of(results, table, cell), from);
        if (from.submission)
          value.tier = Tier::kRecomputed;
        else if (value.redone > 0)
          value.tier = Tier::kReproduced;
        values.push_back(std::move(value));
      }
      const bool known = std::ranges::any_of(values, [&](const BoardValue& value) {
        return !value.source && value.model == cell.model;
      });
      if (cell.published_mean && !known)
        values.push_back({cell.model, Tier::kReported, report::published_text(cell),
                          *cell.published_mean, 0, 0, 0, std::nullopt});
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
    // What does not hold, and what is reported, are rows of their own.
    std::map<std::tuple<bool, bool, std::string>, std::vector<BoardValue>> by_model;
    for (const BoardValue& value : question.values)
      by_model[{broken(value), value.tier == Tier::kReported, value.model}].push_back(value);
    for (auto& [key, values] : by_model) {
      std::ranges::sort(values, [&](const BoardValue& a, const BoardValue& b) {
        return std::tuple(date(b), name(a)) < std::tuple(date(a), name(b));
      });
      const auto best = std::ranges::min_element(values, {}, [](const BoardValue& value) {
        return std::pair(value.n < value.expected_n, value.tier);
      });
      BoardRow row;
      row.value = *best;
      values.erase(best);
      row.others = std::move(values);
      table.rows.push_back(std::move(row));
    }
    const MetricScale scale = scale_of_metric(table.column.measure.metric);
    std::ranges::stable_sort(table.rows, [&](const BoardRow& a, const BoardRow& b) {
      if (broken(a.value) != broken(b.value)) return broken(b.value);
      return scale.is_better(a.value.mean, b.value.mean);
    });
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      BoardRow& row = table.rows[i];
      if (broken(row.value)) continue;
      const bool equal = i > 0 && table.rows[i - 1].value.mean == row.value.mean;
      row.rank = equal ? table.rows[i - 1].rank : static_cast<int>(i) + 1;
    }
    out.tables.push_back(std::move(table));
  }
  return out;
}

}  // namespace cupel
