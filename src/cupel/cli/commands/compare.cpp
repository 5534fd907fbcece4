// cupel compare: two rows of a store against each other: different, equivalent, or not to be told.
#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/stored_results.h"
#include "cupel/cli/text.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/results/narrow.h"

namespace cupel::cli {
namespace {

struct Arguments {
  StoredResultsArguments read{.command = "compare", .what = {}, .store = {}, .protocol = {}};
  std::string a, b;
  std::vector<std::string> tables, datasets;
  std::optional<double> delta;
  bool json = false;
};

// One pair, turned so that it says a - b.
struct Line {
  std::string table;
  Column column;
  Pair pair;
  double sign = 1;
};

std::vector<Line> lines_of(const Report& report, const std::string& a) {
  std::vector<Line> lines;
  for (const ReportTable& table : report.tables) {
    for (const Comparison& comparison : table.comparisons) {
      for (const Pair& pair : comparison.pairs)
        lines.push_back({table.id, comparison.column, pair, pair.a == a ? 1.0 : -1.0});
    }
  }
  return lines;
}

std::string outcome_text(const Line& line, const std::string& a, const std::string& b) {
  if (line.pair.verdict != Verdict::kDifferent) return report::outcome(line.pair);
  return fmt::format("{} higher", line.sign * *line.pair.difference > 0 ? a : b);
}

std::string text_of(const std::vector<Line>& lines, const std::string& a, const std::string& b,
                    double delta) {
  using report::with_sign;
  Columns columns("llrrrrll");
  columns.row({"TABLE", "DATA SET", "SPLITS", "DIFFERENCE", "90 %", "SMALLEST δ", "HERE",
               "ON DATA LIKE IT"});
  bool general = false;
  for (const Line& line : lines) {
    const Pair& pair = line.pair;
    if (!pair.p) {
      columns.row({line.table, line.column.dataset, grouped(pair.splits), "", "", "",
                   "too few common splits", ""});
      continue;
    }
    const double low = line.sign > 0 ? pair.interval->low : -pair.interval->high;
    const double high = line.sign > 0 ? pair.interval->high : -pair.interval->low;
    std::string wider = "not said";
    if (pair.p_general) {
      general = true;
      wider = *pair.p_general <= kAlpha ? "different, " : "cannot tell, ";
      wider += report::p_text(*pair.p_general);
    }
    columns.row({line.table, line.column.dataset, grouped(pair.splits),
                 with_sign(line.sign * *pair.difference, 2),
                 fmt::format("{} to {}", with_sign(low, 2), with_sign(high, 2)),
                 report::fixed(*pair.smallest_delta, 2), outcome_text(line, a, b), wider});
  }
  std::string out = fmt::format("{} − {}, in points; equivalent within ± {}\n\n", a, b, delta);
  out += columns.text() + "\n";
  out += wrap(fmt::format(
      "Here: paired t tests over common splits of this data set (repetitions, of a "
      "cross-validation "
      "that has {} of them), 5 %; equivalent by two one-sided tests at 5 %. Below {} draws nothing "
      "is "
      "concluded. {}",
      kFewestDraws, kFewestDraws,
      general ? "On data like it: the corrected resampled t test of Nadeau and Bengio, as the "
                "training parts of splits overlap."
              : "Nothing is said of other data like these: too much of the data is tested for a "
                "correction of the overlap of splits, or its share is not known."));
  return out;
}

nlohmann::ordered_json json_of(const std::vector<Line>& lines, const std::string& a,
                               const std::string& b, double delta) {
  auto pairs = nlohmann::ordered_json::array();
  const auto value = [](const std::optional<double>& x, double sign) {
    return x ? nlohmann::ordered_json(sign * *x) : nlohmann::ordered_json(nullptr);
  };
  for (const Line& line : lines) {
    const Pair& pair = line.pair;
    nlohmann::ordered_json interval;
    if (pair.interval)
      interval = line.sign > 0 ? nlohmann::ordered_json{pair.interval->low, pair.interval->high}
                               : nlohmann::ordered_json{-pair.interval->high, -pair.interval->low};
    pairs.push_back({{"table", line.table},
                     {"dataset", line.column.dataset},
                     {"metric", line.column.measure.word()},
                     {"splits", pair.splits},
                     {"difference", value(pair.difference, line.sign)},
                     {"interval_90", interval},
                     {"smallest_delta", value(pair.smallest_delta, 1)},
                     {"p", value(pair.p, 1)},
                     {"p_wilcoxon", value(pair.p_wilcoxon, 1)},
                     {"p_general", value(pair.p_general, 1)},
                     {"verdict", to_text(pair.verdict)}});
  }
  return {{"a", a}, {"b", b}, {"delta", delta}, {"comparisons", pairs}};
}

int perform(const Arguments& arguments) {
  Results results = narrowed(
      stored_results(arguments.read).results,
      {split_list(arguments.tables), split_list(arguments.datasets), {arguments.a, arguments.b}});
  if (same_name(arguments.a, arguments.b))
    fail("compare: '{}' is compared with itself; name two different rows", arguments.a);
  if (arguments.delta) set_delta(results, *arguments.delta);
  std::erase_if(results.tables, [](const TableResults& table) { return table.kind != "scores"; });
  std::string a = arguments.a, b = arguments.b;
  for (TableResults& table : results.tables) {
    table.protocol_rows = 2;  // one question, asked in advance
    for (const std::string& row : table.models) {
      if (same_name(row, a)) a = row;
      if (same_name(row, b)) b = row;
    }
  }
  const Report report = make_report(results);
  const std::vector<Line> lines = lines_of(report, a);
  if (lines.empty())
    fail("compare: there is no data set on which both '{}' and '{}' have scores", a, b);
  const double delta = report.tables.front().delta;
  print_out(arguments.json ? json_text(json_of(lines, a, b, delta)) : text_of(lines, a, b, delta));
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  add_stored_results(syntax, arguments->read);
  syntax.required("ROW", arguments->a, "A row of the tables");
  syntax.required("OTHER", arguments->b, "The row that it is compared with");
  add_list(syntax, "--tables", arguments->tables, "Only these tables, by id");
  add_list(syntax, "--datasets", arguments->datasets, "Only these data sets");
  syntax.number("--delta", "POINTS", arguments->delta,
                "A difference within it is equivalent to none\n(default: what the protocol says)");
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_compare;
const Command command_compare = {Topic::kResults, "compare",
                                 "Two models of a store against each other", declare};

}  // namespace cupel::cli
