// cupel effectiveness: can a data set tell a graph model from one that does not see the graph?
#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "cupel/api/effectiveness.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/effectiveness.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/pairs.h"

namespace cupel::cli {
namespace {

struct Arguments : PairsRequest {
  EffectivenessFigures figures;
  DataArgument data;
  bool json = false, csv = false;
};

int perform(const Arguments& arguments) {
  if (arguments.json && arguments.csv) fail("effectiveness: --json or --csv, not both");
  EffectivenessFigures figures = arguments.figures;
  figures.data = arguments.data.given;
  const AssessedPairs assessed = assess_pairs(arguments, figures);
  const EffectivenessReport& report = assessed.report;
  print_out(arguments.json  ? json_text(effectiveness_json(report))
            : arguments.csv ? effectiveness_csv(report)
                            : effectiveness_text(report));
  write_figures(
      assessed, figures,
      {.wrote = [](const std::filesystem::path& file) { print_note("wrote " + file.string()); },
       .note = print_note});
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  arguments->read.command = "effectiveness";
  add_pairs(syntax, *arguments);
  syntax.text("--figure", "FILE", arguments->figures.figure,
              "Also draw bars into FILE.svg, or FILE.json for\nVega-Lite");
  syntax.text("--figures", "DIR", arguments->figures.figures,
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
