// cupel run: do what a protocol asks for, and print its tables.

#include <algorithm>
#include <memory>

#include "cupel/base/error.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"
#include "cupel/judge/report/report.h"
#include "cupel/lab/run/results_loader.h"

namespace cupel::cli {
namespace {

struct Arguments {
  WorkArguments work;
  std::vector<std::string> tables, choices;
  int splits = 0, inits = 0;
  bool no_report = false;
};

// Rows of the plan that the estimate has no line for, although others of their data set have one.
std::string shared_text(const Plan& plan, const PlanEstimate& estimate) {
  std::vector<std::string> rows;
  for (const PlannedCell& cell : plan.cells) {
    const auto lists = [&](const PlanEstimate::Line& line) { return line.model == cell.model; };
    if (estimate.lines.empty() || std::any_of(estimate.lines.begin(), estimate.lines.end(), lists))
      continue;
    if (std::find(rows.begin(), rows.end(), cell.model) == rows.end()) rows.push_back(cell.model);
  }
  if (rows.empty()) return "";
  return "\n" + wrap(fmt::format(
                    "Without a line, as their runs are those of other rows or in the store: {}.",
                    fmt::join(rows, ", ")));
}

int perform(const Arguments& arguments) {
  const WorkArguments& common = arguments.work;
  const Protocol protocol = load_protocol(common.protocol);
  Selection selection;
  selection.datasets = split_list(common.datasets);
  selection.models = split_list(common.models);
  selection.tables = split_list(arguments.tables);
  selection.choices = parse_choice_filters(arguments.choices);
  selection.splits = arguments.splits;
  selection.inits = arguments.inits;
  ExecuteOptions options = common.execute_options();
  StoreOpener opener(common, protocol.name);
  StatusLine status;
  const Plan plan = make_plan(protocol, selection, telling_sources(common.data.folder(), status));
  const std::unique_ptr<Executor> executor = make_executor();

  if (common.dry_run) {
    const PlanEstimate estimate = estimate_plan(plan, opener.look(), *executor, options);
    status.clear();
    print_out(common.json ? estimate_json(estimate)
                          : estimate_text(estimate) + shared_text(plan, estimate));
    return kDone;
  }
  const Pending pending = pending_runs(plan, opener.look(), options.retry, options.shard);
  options.refused = refusals(pending, *executor);
  status.clear();
  if (!announce(pending, options.refused)) return kRunsFailed;
  Store& store = opener.store();
  const WorkReport done = work(options, opener.path(), [&](const ExecuteOptions& watched) {
    return execute(plan, store, *executor, watched);
  });
  if (!arguments.no_report)
    print_out(render(load_results(store, protocol), find_format(common.json ? "json" : "text")));
  return done.exit_code;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  add_protocol(syntax, arguments->work);
  add_list(syntax, "--tables", arguments->tables, "Only these tables, by id");
  syntax.texts(
      "--choices", "NAME=A,B,...", arguments->choices,
      "Only these values of what rows choose from:\nlayers=1,2, or sage.layers=1 for one row");
  syntax.count("--splits", arguments->splits, "Only the first N splits");
  syntax.count("--inits", arguments->inits, "Only the first N initialisations");
  add_work(syntax, arguments->work);
  syntax.flag("--no-report", arguments->no_report, "Print no report at the end");
  syntax.footer(wrap(
      "What the store holds is not done again: the same command resumes. Ctrl-C ends it cleanly."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_run;
const Command command_run = {8, "run", "Run a protocol and print its tables", declare};

}  // namespace cupel::cli
