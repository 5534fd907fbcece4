// cupel effectiveness: can a data set tell a graph model from one that does not see the graph?
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/pairs.h"
#include "cupel/cli/text.h"
#include "cupel/judge/effectiveness/effectiveness.h"
#include "cupel/judge/effectiveness/figure.h"
#include "cupel/judge/report/print.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Arguments : PairArguments {
  std::string figure;
  bool json = false;
};

// ---- JSON ---------------------------------------------------------------------------------------

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json part_json(const std::optional<EffectivenessPart>& part) {
  if (!part) return nullptr;
  return {{"gnn", part->gnn},
          {"baseline", part->baseline},
          {"gnn_score", part->gnn_score},
          {"baseline_score", part->baseline_score},
          {"gap", part->value.gap},
          {"factor", part->value.factor},
          {"effectiveness", part->value.effectiveness}};
}

Json published_json(const PublishedEffectiveness& published) {
  if (!published.structure && !published.attributes) return nullptr;
  return {{"structure", part_json(published.structure)},
          {"attributes", part_json(published.attributes)},
          {"effectiveness", number(published.effectiveness)}};
}

Json rows_json(const std::optional<EffectivenessRows>& rows) {
  if (!rows) return nullptr;
  return {{"gnn", rows->gnn}, {"baseline", rows->baseline}};
}

std::string json_of(const EffectivenessReport& report) {
  Json datasets = Json::array();
  for (const DatasetEffectiveness& of : report.datasets) {
    Json one;
    one["dataset"] = of.dataset;
    one["table"] = of.table;
    one["metric"] = of.metric;
    one["classes"] = of.classes;
    one["splits"] = of.splits;
    one["structure"] = part_json(of.structure);
    one["attributes"] = part_json(of.attributes);
    one["effectiveness"] = number(of.effectiveness);
    one["interval"] = of.interval ? Json{of.interval->low, of.interval->high} : Json(nullptr);
    one["published"] = published_json(of.published);
    one["notes"] = of.notes;
    datasets.push_back(std::move(one));
  }
  Json out;
  out["protocol"] = report.protocol;
  out["structure"] = rows_json(report.request.structure);
  out["attributes"] = rows_json(report.request.attributes);
  out["datasets"] = std::move(datasets);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// ---- text ---------------------------------------------------------------------------------------

std::string four(const std::optional<double>& value) {
  return value ? report::fixed(*value, 4) : "–";
}

// Which of several stood for them: "gin-s on MUTAG, DD; kernel-s on NCI1".
std::string chosen_text(const EffectivenessReport& report,
                        std::optional<EffectivenessPart> DatasetEffectiveness::*part,
                        std::string EffectivenessPart::*side) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!(of.*part)) continue;
    const std::string& name = (*(of.*part)).*side;
    auto at =
        std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == name; });
    if (at == found.end()) at = found.insert(found.end(), {name, {}});
    at->second.push_back(of.dataset);
  }
  std::vector<std::string> out;
  for (const auto& [name, datasets] : found)
    out.push_back(fmt::format("{} on {}", name, fmt::join(datasets, ", ")));
  return fmt::format("{}", fmt::join(out, "; "));
}

// The same notes of several data sets once.
std::string notes_text(const EffectivenessReport& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const DatasetEffectiveness& of : report.datasets) {
    if (of.notes.empty()) continue;
    const std::string notes = fmt::format("{}", fmt::join(of.notes, ", "));
    auto at =
        std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == notes; });
    if (at == found.end()) at = found.insert(found.end(), {notes, {}});
    at->second.push_back(of.dataset);
  }
  std::string out;
  for (const auto& [notes, datasets] : found)
    out += wrap(fmt::format("{}: {}.", fmt::join(datasets, ", "), notes));
  return out;
}

std::string legend_text(const EffectivenessReport& report) {
  const EffectivenessRequest& request = report.request;
  std::string out;
  for (const auto& [letter, name, rows, part] :
       {std::tuple{"S", "structure", &request.structure, &DatasetEffectiveness::structure},
        {"A", "attributes", &request.attributes, &DatasetEffectiveness::attributes}}) {
    if (!*rows) continue;
    out += wrap(fmt::format("{}: {}, {}.", letter, name, rows_text(**rows)));
    for (const auto& [names, side] : {std::pair{&(*rows)->gnn, &EffectivenessPart::gnn},
                                      {&(*rows)->baseline, &EffectivenessPart::baseline}}) {
      const std::string chosen = chosen_text(report, part, side);
      if (names->size() > 1 && !chosen.empty()) out += wrap("Best: " + chosen + ".", 3);
    }
  }
  out += wrap(
      "GAP: graph model less baseline, in percentage points. λ: the room that the lower of the two "
      "scores leaves. E: |gap| / (lower score (|Y| - 1)) λ, summed over S and A, and the same from "
      "published means (Li et al. 2024, equation 1). E does not say who is ahead; the gap does.");
  if (std::any_of(report.datasets.begin(), report.datasets.end(),
                  [](const auto& of) { return of.interval.has_value(); }))
    out += wrap(
        "95 %: bootstrap interval of E over splits, drawn for all rows at once; rather too narrow "
        "for the few folds of a cross-validation, and never below 0.");
  return out;
}

std::string text_of(const EffectivenessReport& report) {
  const bool structure = report.request.structure.has_value();
  const bool attributes = report.request.attributes.has_value();
  const bool published =
      std::any_of(report.datasets.begin(), report.datasets.end(),
                  [](const auto& of) { return of.published.effectiveness.has_value(); });
  std::vector<std::string> metrics;
  for (const DatasetEffectiveness& of : report.datasets) {
    if (!std::count(metrics.begin(), metrics.end(), of.metric)) metrics.push_back(of.metric);
  }
  std::vector<std::string> head = {"DATA SET", "|Y|"};
  for (const auto& [there, letter] : {std::pair{structure, 'S'}, {attributes, 'A'}}) {
    if (!there) continue;
    for (const char* name : {"GAP", "λ", "E"}) head.push_back(fmt::format("{}_{}", name, letter));
  }
  head.push_back("E");
  head.push_back("95 %");
  if (published) head.push_back("PUBL.");
  Columns columns("l" + std::string(head.size() - 1, 'r'));
  columns.row(head);
  for (const DatasetEffectiveness& of : report.datasets) {
    const std::string words = report::metric_words(of.metric);
    std::vector<std::string> cells = {
        report::printable(metrics.size() > 1 ? of.dataset + ", " + words : of.dataset),
        std::to_string(of.classes)};
    for (const auto& [there, part] :
         {std::pair{structure, &of.structure}, {attributes, &of.attributes}}) {
      if (!there) continue;
      if (!*part) {
        cells.insert(cells.end(), 3, "–");
        continue;
      }
      const PairEffectiveness& value = (*part)->value;
      cells.push_back(report::with_sign(value.gap * 100, 1));
      cells.push_back(report::fixed(value.factor, 2));
      cells.push_back(four(value.effectiveness));
    }
    cells.push_back(four(of.effectiveness));
    cells.push_back(
        of.interval ? fmt::format("{}–{}", four(of.interval->low), four(of.interval->high)) : "–");
    if (published) cells.push_back(four(of.published.effectiveness));
    columns.row(std::move(cells));
  }
  const std::string by = metrics.size() == 1 ? ", by " + report::metric_words(metrics[0]) : "";
  std::string out =
      fmt::format("Effectiveness of data sets, {}{}\n\n{}\n{}", report::printable(report.protocol),
                  by, columns.text(), legend_text(report));
  const std::string notes = notes_text(report);
  return notes.empty() ? out : out + "\n" + notes;
}

// ---- the command --------------------------------------------------------------------------------

int perform(const Arguments& arguments) {
  const std::string extension = fs::path(arguments.figure).extension().string();
  if (!arguments.figure.empty()) {
    if (extension != ".svg" && extension != ".json")
      fail("--figure: '{}' ends in neither .svg nor .json (Vega-Lite)", arguments.figure);
    check_writable(arguments.figure);
  }
  const Results results = results_of(arguments).results;
  const EffectivenessReport report = assess_effectiveness(results, request_of(arguments, results));
  const bool any = std::any_of(report.datasets.begin(), report.datasets.end(),
                               [](const auto& of) { return of.effectiveness.has_value(); });
  if (!arguments.figure.empty() && !any)
    fail("--figure: no data set has runs of both rows of a pair, so that there is nothing to draw");
  print_out(arguments.json ? json_of(report) : text_of(report));
  if (!arguments.figure.empty()) {
    write_file(arguments.figure,
               extension == ".svg" ? effectiveness_svg(report) : effectiveness_vega(report));
    print_note("wrote " + arguments.figure);
  }
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  arguments->command = "effectiveness";
  add_pairs(syntax, *arguments);
  syntax.text("--figure", "FILE", arguments->figure,
              "Also draw bars into FILE.svg, or FILE.json for\nVega-Lite");
  add_json(syntax, arguments->json);
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_effectiveness;
const Command command_effectiveness = {11, "effectiveness",
                                       "Can data sets tell graph models from baselines?", declare};

}  // namespace cupel::cli
