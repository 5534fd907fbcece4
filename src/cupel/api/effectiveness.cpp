#include "cupel/api/effectiveness.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "cupel/api/load.h"
#include "cupel/base/error.h"
#include "cupel/base/write_file.h"
#include "cupel/data/formats/beside.h"
#include "cupel/data/stats/graph_set_statistics.h"
#include "cupel/judge/effectiveness/correlations.h"
#include "cupel/judge/effectiveness/figure.h"
#include "cupel/judge/effectiveness/theory.h"
#include "cupel/judge/prediction/samples.h"
#include "cupel/lab/plan/plan.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// SVG, or Vega-Lite.
bool is_svg(const std::string& figure) {
  const std::string extension = fs::path(figure).extension().string();
  if (extension != ".svg" && extension != ".json")
    fail("--figure: '{}' ends in neither .svg nor .json (Vega-Lite)", figure);
  return extension == ".svg";
}

// The rows of the paper's Figure 1: the best of its five methods that the results have, for parts
// that were not named.
EffectivenessRequest figure_request(const PairsRequest& asked, const Results& results) {
  EffectivenessRequest out = pairs_of(asked, results);
  const std::vector<std::string> rows = effectiveness_rows(results);
  const auto widen = [&](std::optional<EffectivenessRows>& part, const std::string& given,
                         std::initializer_list<const char*> more) {
    if (!part || !given.empty()) return;
    for (const char* name : more)
      if (std::count(rows.begin(), rows.end(), name)) part->gnn.emplace_back(name);
  };
  widen(out.structure, asked.structure, {"gcn-s", "sp-s", "kernel-s", "sm-s"});
  widen(out.attributes, asked.attributes, {"gcn-a"});
  return out;
}

// Correlations of the data sets that can be read; notes say which cannot.
std::vector<effectiveness::DatasetCorrelations> correlations_of(const StoredResults& of,
                                                                const EffectivenessReport& report,
                                                                const fs::path& data,
                                                                const FiguresTold& told) {
  std::vector<effectiveness::DatasetCorrelations> out;
  for (const DatasetEffectiveness& one : report.datasets) {
    try {
      const Dataset dataset = dataset_of(of.protocol, one.table, one.dataset, plan_sources(data));
      if (!dataset.graphs) continue;
      GraphSetOptions options;
      options.threads = {available_processors()};
      out.push_back({one.dataset, graph_set_statistics(dataset, options).properties});
    } catch (const Error& error) {
      told.note(fmt::format("{} is left out of correlations: {}", one.dataset, error.what()));
    }
  }
  return out;
}

void write_all_figures(const AssessedPairs& assessed, const EffectivenessFigures& figures,
                       const FiguresTold& told) {
  using namespace effectiveness;
  const auto& [asked, of, report] = assessed;
  const fs::path folder(figures.figures);
  const NeededFolder needed(folder);
  const auto write = [&](const std::string& name, const std::string& svg, const std::string& vega) {
    for (const auto& [extension, content] : {std::pair{".svg", &svg}, {".json", &vega}}) {
      write_file(folder / (name + extension), *content);
      told.wrote(folder / (name + extension));
    }
  };
  const auto gaps = gap_panels(assess_effectiveness(of.results, figure_request(asked, of.results)));
  write("gaps", bars_svg(gaps), bars_vega(gaps));
  const auto e = e_panels(report);
  write("effectiveness", bars_svg(e), bars_vega(e));
  const auto equation = equation_charts();
  write("equation", charts_svg("Equation 1", equation),
        charts_vega("Room and effectiveness by score and number of classes.", equation));
  const auto theorem = theorem_charts();
  write("theorem", charts_svg("Theorem 1", theorem),
        charts_vega("Properties and the labels made from them.", theorem));
  const auto correlations = correlations_of(of, report, existing_data_folder(figures.data), told);
  if (!correlations.empty())
    write("correlations", correlations_svg(correlations), correlations_vega(correlations));
}

}  // namespace

AssessedPairs assess_pairs(const PairsRequest& request, const EffectivenessFigures& figures) {
  if (!figures.figure.empty()) {
    (void)is_svg(figures.figure);
    check_writable(figures.figure);
  }
  StoredResults of = stored_results(request.read);
  EffectivenessReport report = assess_effectiveness(of.results, pairs_of(request, of.results));
  const bool any = std::any_of(report.datasets.begin(), report.datasets.end(),
                               [](const auto& one) { return one.effectiveness.has_value(); });
  if (figures.any() && !any)
    fail(
        "--figure and --figures: no data set has runs of both rows of a pair, so that there is "
        "nothing to draw");
  return {request, std::move(of), std::move(report)};
}

void write_figures(const AssessedPairs& assessed, const EffectivenessFigures& figures,
                   const FiguresTold& told) {
  if (!figures.figure.empty()) {
    write_file(figures.figure, is_svg(figures.figure) ? effectiveness_svg(assessed.report)
                                                      : effectiveness_vega(assessed.report));
    told.wrote(figures.figure);
  }
  if (!figures.figures.empty()) write_all_figures(assessed, figures, told);
}

}  // namespace cupel
