// cupel compare: two rows of a store against each other: different, equivalent, or not to be told.
#include <memory>
#include <set>

#include <nlohmann/json.hpp>

#include "cupel/api/compare_rows.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/stored_results.h"
#include "cupel/cli/text.h"
#include "cupel/judge/report/build.h"
#include "cupel/judge/report/print.h"
#include "cupel/lab/results/narrow.h"

namespace cupel::cli {
namespace {

struct Arguments {
  StoredResultsRequest read{.command = "compare", .what = {}, .store = {}, .protocol = {}};
  std::string a, b;
  std::vector<std::string> tables, datasets;
  std::optional<double> delta;
  bool json = false;
};

std::string outcome_text(const ComparedPair& line, const std::string& a, const std::string& b) {
  if (line.pair.verdict != Verdict::kDifferent) return report::outcome(line.pair);
  return fmt::format("{} higher", line.sign * *line.pair.difference > 0 ? a : b);
}

// "points", "ranks", or both where there are both.
std::string unit_of(const std::vector<ComparedPair>& lines) {
  std::set<std::string> units;
  for (const ComparedPair& line : lines)
    units.insert(report::scale_of(line.column.measure).difference_unit());
  return fmt::format("{}", fmt::join(units, " and "));
}

std::string text_of(const RowComparison& found) {
  using report::with_sign;
  const std::string &a = found.a, &b = found.b;
  const std::vector<ComparedPair>& lines = found.pairs;
  Columns columns("llrrrrlrl");
  columns.row({"TABLE", "DATA SET", "SPLITS", "DIFFERENCE", "90 %", "SMALLEST δ", "HERE",
               "SPLITS TO DECIDE", "ON DATA LIKE IT"});
  bool general = false, open = false;
  const bool several = std::ranges::any_of(lines, [&](const ComparedPair& line) {
    return line.column.measure.word() != lines.front().column.measure.word();
  });
  const auto dataset_of = [&](const ComparedPair& line) {
    return several ? fmt::format("{}, {}", line.column.dataset, line.column.measure.word())
                   : line.column.dataset;
  };
  for (const ComparedPair& line : lines) {
    const RowPair& pair = line.pair;
    if (!pair.p) {
      columns.row({line.table, dataset_of(line), grouped(pair.splits), "", "", "",
                   "too few common splits", "", ""});
      continue;
    }
    const double low = line.sign > 0 ? pair.interval->low : -pair.interval->high;
    const double high = line.sign > 0 ? pair.interval->high : -pair.interval->low;
    std::string wider = "not said";
    if (pair.p_general) {
      general = true;
      const bool tells = pair.splits >= kFewestDraws && *pair.p_general <= kAlpha;
      wider = tells ? "different, " : "cannot tell, ";
      wider += report::p_text(*pair.p_general);
    }
    open |= pair.splits_to_decide.has_value();
    columns.row({line.table, dataset_of(line), grouped(pair.splits),
                 with_sign(line.sign * *pair.difference, 2),
                 fmt::format("{} to {}", with_sign(low, 2), with_sign(high, 2)),
                 report::fixed(*pair.smallest_delta, 2), outcome_text(line, a, b),
                 pair.splits_to_decide ? grouped(*pair.splits_to_decide) : "", wider});
  }
  std::string out =
      fmt::format("{} − {}, in {}; equivalent within ± {}\n\n", a, b, unit_of(lines), found.delta);
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
  if (open)
    out += wrap(
        "Splits to decide: about so many common splits, with those there are, decide a pair if its "
        "difference and spread stay as they are.");
  return out;
}

int perform(const Arguments& arguments) {
  const RowComparison found =
      compare_rows(narrowed(stored_results(arguments.read).results, {split_list(arguments.tables),
                                                                     split_list(arguments.datasets),
                                                                     {arguments.a, arguments.b}}),
                   arguments.a, arguments.b, arguments.delta);
  print_out(arguments.json ? json_text(comparison_json(found)) : text_of(found));
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
