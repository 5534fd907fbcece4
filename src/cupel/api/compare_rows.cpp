#include "cupel/api/compare_rows.h"

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

std::vector<ComparedPair> lines_of(const Report& report, const std::string& a) {
  std::vector<ComparedPair> lines;
  for (const ReportTable& table : report.tables) {
    for (const Comparison& comparison : table.comparisons) {
      for (const RowPair& pair : comparison.pairs)
        lines.push_back({table.id, comparison.column, pair, pair.a == a ? 1.0 : -1.0});
    }
  }
  return lines;
}

}  // namespace

RowComparison compare_rows(Results results, const std::string& row, const std::string& other,
                           std::optional<double> delta) {
  if (same_name(row, other))
    fail("compare: '{}' is compared with itself; name two different rows", row);
  if (delta) set_delta(results, *delta);
  std::erase_if(results.tables, [](const TableResults& table) { return table.kind != "scores"; });
  RowComparison out{.a = row, .b = other, .delta = 0, .pairs = {}};
  for (TableResults& table : results.tables) {
    table.protocol_rows = 2;  // one question, asked in advance
    for (const std::string& known : table.models) {
      if (same_name(known, row)) out.a = known;
      if (same_name(known, other)) out.b = known;
    }
  }
  const Report report = make_report(results);
  out.pairs = lines_of(report, out.a);
  if (out.pairs.empty())
    fail("compare: there is no data set on which both '{}' and '{}' have scores", out.a, out.b);
  out.delta = report.tables.front().delta;
  return out;
}

nlohmann::ordered_json comparison_json(const RowComparison& found) {
  auto pairs = nlohmann::ordered_json::array();
  const auto value = [](const std::optional<double>& x, double sign) {
    return x ? nlohmann::ordered_json(sign * *x) : nlohmann::ordered_json(nullptr);
  };
  for (const ComparedPair& line : found.pairs) {
    const RowPair& pair = line.pair;
    nlohmann::ordered_json interval;
    if (pair.interval)
      interval = line.sign > 0 ? nlohmann::ordered_json{pair.interval->low, pair.interval->high}
                               : nlohmann::ordered_json{-pair.interval->high, -pair.interval->low};
    pairs.push_back(
        {{"table", line.table},
         {"dataset", line.column.dataset},
         {"metric", line.column.measure.word()},
         {"splits", pair.splits},
         {"difference", value(pair.difference, line.sign)},
         {"interval_90", interval},
         {"smallest_delta", value(pair.smallest_delta, 1)},
         {"p", value(pair.p, 1)},
         {"p_wilcoxon", value(pair.p_wilcoxon, 1)},
         {"p_general", value(pair.p_general, 1)},
         {"verdict", to_text(pair.verdict)},
         {"splits_to_decide", pair.splits_to_decide ? nlohmann::ordered_json(*pair.splits_to_decide)
                                                    : nlohmann::ordered_json(nullptr)}});
  }
  return {{"a", found.a}, {"b", found.b}, {"delta", found.delta}, {"comparisons", pairs}};
}

}  // namespace cupel
