// cupel effectiveness: can a data set tell a graph model from one that does not see the graph?
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/effectiveness.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/pairs.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/stats/graph_set_statistics.h"
#include "cupel/judge/effectiveness/correlations.h"
#include "cupel/judge/effectiveness/effectiveness.h"
#include "cupel/judge/effectiveness/figure.h"
#include "cupel/judge/effectiveness/theory.h"
#include "cupel/judge/prediction/samples.h"
#include "cupel/lab/plan/plan.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments : PairArguments {
  std::string figure, figures;
  DataArgument data;
  bool json = false, csv = false;
};

// The rows of the paper's Figure 1: the best of its five methods that the results have, for parts
// that were not named.
EffectivenessRequest figure_request(const Arguments& arguments, const Results& results) {
  EffectivenessRequest out = request_of(arguments, results);
  const std::vector<std::string> rows = effectiveness_rows(results);
  const auto widen = [&](std::optional<EffectivenessRows>& part, const std::string& given,
                         std::initializer_list<const char*> more) {
    if (!part || !given.empty()) return;
    for (const char* name : more)
      if (std::count(rows.begin(), rows.end(), name)) part->gnn.emplace_back(name);
  };
  widen(out.structure, arguments.structure, {"gcn-s", "sp-s", "kernel-s", "sm-s"});
  widen(out.attributes, arguments.attributes, {"gcn-a"});
  return out;
}

// Correlations of the data sets that can be read; notes say which cannot.
std::vector<effectiveness::DatasetCorrelations> correlations_of(const StoredResults& of,
                                                                const EffectivenessReport& report,
                                                                const fs::path& data) {
  std::vector<effectiveness::DatasetCorrelations> out;
  for (const DatasetEffectiveness& one : report.datasets) {
    try {
      const Dataset dataset = dataset_of(of.protocol, one.table, one.dataset, plan_sources(data));
      if (!dataset.graphs) continue;
      GraphSetOptions options;
      options.threads = {available_processors()};
      out.push_back({one.dataset, graph_set_statistics(dataset, options).properties});
    } catch (const Error& error) {
      print_note(fmt::format("{} is left out of correlations: {}", one.dataset, error.what()));
    }
  }
  return out;
}

// What was written.
void write_figures(const Arguments& arguments, const StoredResults& of,
                   const EffectivenessReport& report) {
  using namespace effectiveness;
  const fs::path folder(arguments.figures);
  const NeededFolder needed(folder);
  const auto write = [&](const std::string& name, const std::string& svg, const std::string& vega) {
    for (const auto& [extension, content] : {std::pair{".svg", &svg}, {".json", &vega}}) {
      write_file(folder / (name + extension), *content);
      print_note("wrote " + (folder / (name + extension)).string());
    }
  };
  const auto gaps =
      gap_panels(assess_effectiveness(of.results, figure_request(arguments, of.results)));
  write("gaps", bars_svg(gaps), bars_vega(gaps));
  const auto e = e_panels(report);
  write("effectiveness", bars_svg(e), bars_vega(e));
  const auto equation = equation_charts();
  write("equation", charts_svg("Equation 1", equation),
        charts_vega("Room and effectiveness by score and number of classes.", equation));
  const auto theorem = theorem_charts();
  write("theorem", charts_svg("Theorem 1", theorem),
        charts_vega("Properties and the labels made from them.", theorem));
  const auto correlations = correlations_of(of, report, arguments.data.folder());
  if (!correlations.empty())
    write("correlations", correlations_svg(correlations), correlations_vega(correlations));
}

int perform(const Arguments& arguments) {
  if (arguments.json && arguments.csv) fail("effectiveness: --json or --csv, not both");
  const std::string extension = fs::path(arguments.figure).extension().string();
  if (!arguments.figure.empty()) {
    if (extension != ".svg" && extension != ".json")
      fail("--figure: '{}' ends in neither .svg nor .json (Vega-Lite)", arguments.figure);
    check_writable(arguments.figure);
  }
  const StoredResults of = stored_results(arguments.read);
  const EffectivenessReport report =
      assess_effectiveness(of.results, request_of(arguments, of.results));
  const bool any = std::any_of(report.datasets.begin(), report.datasets.end(),
                               [](const auto& of) { return of.effectiveness.has_value(); });
  if (!(arguments.figure.empty() && arguments.figures.empty()) && !any)
    fail(
        "--figure and --figures: no data set has runs of both rows of a pair, so that there is "
        "nothing to draw");
  print_out(arguments.json  ? effectiveness_json(report)
            : arguments.csv ? effectiveness_csv(report)
                            : effectiveness_text(report));
  if (!arguments.figure.empty()) {
    write_file(arguments.figure,
               extension == ".svg" ? effectiveness_svg(report) : effectiveness_vega(report));
    print_note("wrote " + arguments.figure);
  }
  if (!arguments.figures.empty()) write_figures(arguments, of, report);
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  arguments->read.command = "effectiveness";
  add_pairs(syntax, *arguments);
  syntax.text("--figure", "FILE", arguments->figure,
              "Also draw bars into FILE.svg, or FILE.json for\nVega-Lite");
  syntax.text("--figures", "DIR", arguments->figures,
              "Also write the figures of the paper into this\nfolder, of the best of its methods "
              "that have rows");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.flag("--csv", arguments->csv, "Print CSV, a line for each data set");
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_effectiveness;
const Command command_effectiveness = {Topic::kResults, "effectiveness",
                                       "Can data sets tell graph models from baselines?", declare};

}  // namespace cupel::cli
