// cupel report: tables and figures from a store.
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "cupel/api/report_file.h"
#include "cupel/api/store_page.h"
#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/stored_results.h"
#include "cupel/cli/text.h"
#include "cupel/judge/report/figures/figures.h"
#include "cupel/judge/report/report.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/results/narrow.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  StoredResultsRequest read{.command = "report", .what = {}, .store = {}, .protocol = {}};
  std::string format, out, figures;
  std::optional<double> delta;
  std::vector<std::string> tables, datasets, models;
  DataArgument data;
  bool json = false, fragment = false, runs = false;
};

// The format that was asked for, else the one that the file's name means.
const Format& chosen_format(const Arguments& arguments) {
  if (arguments.json && !arguments.format.empty() && arguments.format != "json")
    fail("report: --json and --format {} contradict each other", arguments.format);
  if (arguments.fragment && arguments.runs)
    fail("report: --fragment is LaTeX and --runs is CSV; ask for one of them");
  for (const auto& [given, option, of, named] :
       {std::tuple(arguments.fragment, "--fragment", "latex", "latex-fragment"),
        std::tuple(arguments.runs, "--runs", "csv", "csv-runs")}) {
    if (!given) continue;
    if (arguments.json)
      fail("report: {} goes with --format {}, not --json; ask for one of them", option, of);
    if (!arguments.format.empty() && arguments.format != of && arguments.format != named)
      fail("report: {} goes with --format {}, not {}", option, of, arguments.format);
    return find_format(named);
  }
  if (arguments.json) return find_format("json");
  if (!arguments.format.empty()) return find_format(arguments.format);
  return format_of_file(arguments.out);
}

int perform(const Arguments& arguments) {
  const Format& format = chosen_format(arguments);
  if (!arguments.out.empty()) check_report_path(format, arguments.out);
  if (arguments.out.empty() && format.is_folder())
    fail("report: --format {} is a folder of files; --out DIR says where", format.name);
  const ResultsSelection selection = {split_list(arguments.tables), split_list(arguments.datasets),
                                      split_list(arguments.models)};
  const AuditedData data = audited_for(format, arguments.data.given);
  Results results;
  if (!is_page(format) || !arguments.figures.empty()) {
    results = narrowed(stored_results(arguments.read).results, selection);
    if (arguments.delta) set_delta(results, *arguments.delta);
  }
  const ReportSource source{results, {arguments.read, {selection}, arguments.delta, data}};
  if (!arguments.figures.empty()) {
    for (const fs::path& path : write_figures(results, arguments.figures))
      print_note("wrote " + path.string());
  }
  if (arguments.out.empty()) {
    const ReportText report = report_text(source, format, "the page");
    print_out(report.text);
    if (!report.note.empty()) print_note(report.note);
    return kDone;
  }
  const std::string note = write_report(source, arguments.out, format);
  print_note("wrote " + arguments.out);
  if (!note.empty()) print_note(note);
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  constexpr std::size_t kWidth = 54;  // of what stands beside an option
  std::string names, line;
  for (const Format* format : formats()) {
    if (is_variant(*format)) continue;
    const std::string_view name = format->name;
    if (line.size() + name.size() > kWidth) {
      line.back() = '\n';
      names += std::exchange(line, "");
    }
    line += fmt::format("{}{}", name, format == formats().back() ? "" : ", ");
  }
  add_stored_results(syntax, arguments->read);
  syntax.text("--format", "FORMAT", arguments->format,
              names + line + "\n(default: what FILE ends in, else text)");
  syntax.text("--out", "FILE", arguments->out,
              "Write to this file instead of standard output; a folder\nfor mlflow and hf-evals");
  syntax.text("--figures", "DIR", arguments->figures, "Also write box plots into this folder");
  add_list(syntax, "--tables", arguments->tables, "Only these tables, by id");
  add_list(syntax, "--datasets", arguments->datasets, "Only these data sets");
  add_list(syntax, "--models", arguments->models, "Only these rows");
  syntax.number("--delta", "POINTS", arguments->delta,
                "A gap within it is equivalent to none\n(default: what the protocol says)");
  syntax.flag("--fragment", arguments->fragment, "LaTeX without a document around the tables");
  syntax.flag("--runs", arguments->runs, "CSV with a row per run instead of one per cell");
  syntax.text(
      "--data", "DIR", arguments->data.given,
      "HTML page: folder of the data sets that are audited for\ntheir cards, large ones too "
      "(default: $CUPEL_DATA, else\nthe user's cache folder, without large ones)");
  add_json(syntax, arguments->json);
  syntax.footer(wrap(
      "A store's page (--format html) has all of its protocols, unless --protocol names one."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_report;
const Command command_report = {Topic::kResults, "report", "Tables and figures from a store",
                                declare};

}  // namespace cupel::cli
