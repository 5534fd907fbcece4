// The cells of a table, as lists.
#include <algorithm>

#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/print.h"

namespace cupel::page {
namespace {

using namespace report;

Json some(const std::string& words) { return words.empty() ? Json(nullptr) : text(words); }
Json some(int count) { return count == 0 ? Json(nullptr) : Json(count); }

// Where a cell stands among those of its column: 2 the best (is_best), 1 not told from the best by
// the paired comparison, 0 different from it; null where it was not compared.
Json standing(const ReportTable& table, std::size_t row, std::size_t column) {
  if (is_best(table, row, column)) return 2;
  std::size_t best = 0;
  while (best < table.models.size() && !is_best(table, best, column)) ++best;
  if (best == table.models.size()) return nullptr;
  for (const Comparison& comparison : table.comparisons) {
    if (!(comparison.column == table.columns[column])) continue;
    for (const RowPair& pair : comparison.pairs) {
      const bool is_pair = (pair.a == table.models[best] && pair.b == table.models[row]) ||
                           (pair.b == table.models[best] && pair.a == table.models[row]);
      if (is_pair && pair.p) return pair.verdict == Verdict::kDifferent ? 0 : 1;
    }
  }
  return nullptr;
}

Json choice_json(const CellChoice& choice) {
  Json configurations = Json::array();
  for (const ConfigurationResult& one : choice.configurations)
    configurations.push_back({text(one.name), one.runs, one.complete ? 1 : 0, number(one.score)});
  return {{"chosen", text(choice.chosen)},
          {"by", text(choice.by)},
          {"grid", choice.grid},
          {"compared", choice.compared},
          {"configurations", configurations}};
}

Json end_of(const std::optional<Interval>& interval, double Interval::*side) {
  return interval ? number((*interval).*side) : Json(nullptr);
}

}  // namespace

Json cells_json(const ReportTable& table) {
  Lists lists;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const Cell& cell = table.cells[i];
    const double gap = cell.gap.value_or(0);
    lists.add("mean", number(cell.mean));
    lists.add("spread", number(cell.sd));
    lists.add("n", cell.n);
    lists.add("asked", cell.expected_n);
    lists.add("splits", cell.splits);
    lists.add("published", number(cell.published_mean));
    lists.add("gap", number(cell.gap));
    lists.add("verdict", static_cast<int>(cell.verdict));
    lists.add("standing", standing(table, i / table.columns.size(), i % table.columns.size()));
    lists.add("meanText", cell.mean ? some(mean_text(cell)) : Json(nullptr));
    lists.add("publishedText", some(published_text(cell)));
    lists.add("gapText", some(gap_text(cell)));
    lists.add("deltaText", some(delta_text(cell)));
    lists.add("lookText", some(look_text(cell)));
    lists.add("runsText", some(runs_text(cell)));
    lists.add("troubleText", some(trouble_text(cell)));
    lists.add("mark", some(mark_of(cell.verdict, gap)));
    lists.add("failed", some(cell.failed + cell.timed_out));
    lists.add("diverged", some(cell.diverged));
    lists.add("conflicts", some(cell.conflicts));
    lists.add("notIsolated", some(cell.not_isolated));
    lists.add("low", end_of(cell.interval, &Interval::low));
    lists.add("high", end_of(cell.interval, &Interval::high));
    lists.add("p", cell.p_corrected ? some(p_text(*cell.p_corrected)) : Json(nullptr));
    lists.add("basis", some(cell.basis));
    lists.add("toDecide", number(cell.runs_to_decide));
    lists.add("detectable", number(cell.detectable_gap));
    lists.add("publishedN", some(cell.published_n));
    lists.add("choice", cell.choice ? choice_json(*cell.choice) : Json(nullptr));
  }
  return lists.json();
}

}  // namespace cupel::page
