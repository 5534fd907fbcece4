// cupel effectiveness: can a data set tell a graph model from one that does not see the graph?
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/effectiveness.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/pairs.h"
#include "cupel/judge/effectiveness/effectiveness.h"
#include "cupel/judge/effectiveness/figure.h"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments : PairArguments {
  std::string figure;
  bool json = false, csv = false;
};

int perform(const Arguments& arguments) {
  if (arguments.json && arguments.csv) fail("effectiveness: --json or --csv, not both");
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
  print_out(arguments.json  ? effectiveness_json(report)
            : arguments.csv ? effectiveness_csv(report)
                            : effectiveness_text(report));
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
  syntax.flag("--csv", arguments->csv, "Print CSV, a line for each data set");
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_effectiveness;
const Command command_effectiveness = {11, "effectiveness",
                                       "Can data sets tell graph models from baselines?", declare};

}  // namespace cupel::cli
