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
#include "cupel/judge/sequential/until_decided.h"
#include "cupel/lab/results/load.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/refusal.h"

namespace cupel::cli {
namespace {

struct Arguments {
  WorkArguments work;
  std::vector<std::string> tables, choices;
  std::string until;
  std::optional<double> delta;
  int splits = 0, inits = 0, max_splits = 0;
  bool no_report = false;
};

// What --until and its companions ask for; nothing where they were not given.
std::optional<UntilOptions> until_options(const Arguments& arguments) {
  if (arguments.until.empty()) {
    if (arguments.max_splits > 0)
      fail("run: --max-splits goes with --until decided; --splits says how many there are else");
    return std::nullopt;
  }
  if (arguments.until != "decided") fail("run: --until takes 'decided', not '{}'", arguments.until);
  if (arguments.splits > 0)
    fail("run: --until decided makes as many splits as it needs; --max-splits limits them");
  if (!arguments.work.shard.empty())
    fail("run: --until decided looks at all that was run, so that it cannot be done in shards");
  UntilOptions out;
  out.max_splits = arguments.max_splits;
  if (arguments.inits > 0) out.inits = out.max_inits = arguments.inits;
  out.delta = arguments.delta;
  return out;
}

std::string until_text(const UntilSummary& summary) {
  return fmt::format(
      "{}: {} equivalent, {} different, {} undecided, after {} of the protocol's {} runs of them "
      "({:.1f} %)",
      counted(summary.cells, "cell"), summary.equivalent, summary.different, summary.undecided,
      grouped(summary.asked_runs), grouped(summary.full_runs),
      100.0 * static_cast<double>(summary.asked_runs) / static_cast<double>(summary.full_runs));
}

// Rows that --until leaves out.
std::string left_out_text(const Plan& all, const Plan& plan) {
  std::vector<std::string> rows;
  for (const PlannedCell& cell : all.cells) {
    const bool kept =
        std::any_of(plan.cells.begin(), plan.cells.end(), [&](const PlannedCell& other) {
          return other.table == cell.table && other.dataset == cell.dataset &&
                 other.model == cell.model;
        });
    const std::string name = fmt::format("{} on {}", cell.model, cell.dataset);
    if (!kept && std::find(rows.begin(), rows.end(), name) == rows.end()) rows.push_back(name);
  }
  if (rows.empty()) return "";
  return fmt::format("nothing is published to decide about, so these are not run: {}",
                     fmt::join(rows, ", "));
}

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
  const std::optional<UntilOptions> until = until_options(arguments);
  if (until) selection = until_selection(selection, *until);
  const Plan all = make_plan(protocol, selection, telling_sources(common.data.folder(), status));
  const Plan plan = until ? until_plan(protocol, all, *until) : all;
  const std::unique_ptr<Executor> executor = make_executor(hidden_from_programs(common, opener));

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
  announce_isolation(pending);
  Store& store = opener.store();
  UntilSummary decided;
  if (const std::string left_out = left_out_text(all, plan); !left_out.empty())
    print_note(left_out);
  const WorkReport done = work(options, opener.path(), [&](const ExecuteOptions& watched) {
    if (!until) return execute(plan, store, *executor, watched);
    decided = run_until_decided(protocol, plan, store, *executor, watched, *until);
    return decided.work;
  });
  if (until) print_note(until_text(decided));
  if (!arguments.no_report) {
    Results results = load_results(store, protocol);
    if (arguments.delta) set_delta(results, *arguments.delta);
    print_out(render(results, find_format(common.json ? "json" : "text")));
  }
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
  syntax.text(
      "--until", "decided", arguments->until,
      "Run only the splits that decide each cell with a\npublished value: equivalent to it, or "
      "different");
  syntax.count("--max-splits", arguments->max_splits,
               "With --until: give up after N splits\n(default: as many as the protocol has)");
  syntax.number("--delta", "POINTS", arguments->delta,
                "A gap within it is equivalent to none\n(default: what the protocol says)");
  add_work(syntax, arguments->work);
  syntax.flag("--no-report", arguments->no_report, "Print no report at the end");
  syntax.footer(wrap(
      "What the store holds is not done again: the same command resumes. Ctrl-C ends it cleanly."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_run;
const Command command_run = {Topic::kRuns, "run", "Run a protocol and print its tables", declare};

}  // namespace cupel::cli
