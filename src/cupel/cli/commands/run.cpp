// cupel run: do what a protocol asks for, and print its tables.

#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/engines.h"
#include "cupel/api/given_split.h"
#include "cupel/api/plan_places.h"
#include "cupel/api/study.h"
#include "cupel/api/study_words.h"
#include "cupel/base/error.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/options.h"
#include "cupel/cli/output.h"
#include "cupel/cli/shards.h"
#include "cupel/cli/text.h"
#include "cupel/cli/work.h"
#include "cupel/judge/report/report.h"

namespace cupel::cli {
namespace {

struct Arguments {
  WorkArguments work;
  PartArguments part;
  EngineArguments engine;
  std::string until, pilot;
  std::optional<double> delta;
  int max_splits = 0;
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

// Hands the work to an engine instead of doing it. The plan lies beside the store.
int hand_over(const Arguments& arguments, Study& study) {
  const WorkArguments& common = arguments.work;
  const EngineArguments& engine = arguments.engine;
  check_engine("run", engine.engine);
  if (!arguments.until.empty() || !common.shard.empty())
    fail("run: --engine makes shards of its own, and goes with neither --until nor --shard");
  const std::filesystem::path& store = study.store_path();
  const std::filesystem::path file = plan_beside(store);
  if (!common.dry_run) check_plan_path(file);
  const SettledPlan plan = settled(study, {.file = file,
                                           .choices = arguments.part.choices,
                                           .cut = engine.cut,
                                           .pilot = arguments.pilot,
                                           .pilot_how = common.execute_options(),
                                           .retry = common.retry_failed});
  if (!plan.plan) return kDone;
  const FrozenPlan& frozen = *plan.plan;
  const SlurmPlan jobs = engine_plan(engine.engine, own_program(), frozen, file, shard_folder(file),
                                     common.data.folder(), store);
  SlurmOptions slurm = engine.slurm;
  slurm.jobs = common.jobs;
  slurm.memory = common.memory;
  slurm.timeout = common.timeout;
  slurm.retry_failed = common.retry_failed;
  const std::vector<int> shards = shards_with_runs(frozen);
  if (common.dry_run) {
    print_note(frozen_summary(frozen));
    print_out(engine.engine == "slurm" ? slurm_task_script(jobs, slurm)
                                       : work_commands(jobs, slurm, shards));
    return kDone;
  }
  write_file(file, plan.text);
  print_note(fmt::format("{}: {}", file.string(), frozen_summary(frozen)));
  hand_to(engine.engine, jobs, slurm, shards);
  return kDone;
}

int perform(const Arguments& arguments) {
  const WorkArguments& common = arguments.work;
  StudyRequest request;
  request.protocol = with_split(load_protocol(common.protocol), arguments.part.split, "--split");
  request.selection = selection_of(request.protocol, common, arguments.part);
  ExecuteOptions options = common.execute_options();
  request.store = common.store_path(request.protocol.name);
  request.only_look = common.dry_run;
  request.until = read_until({.until = arguments.until,
                              .splits = arguments.part.splits,
                              .inits = arguments.part.inits,
                              .max_splits = arguments.max_splits,
                              .sharded = !common.shard.empty(),
                              .delta = arguments.delta});
  request.delta = arguments.delta;
  request.data_folder = common.data.folder();
  StatusLine status;
  request.sources = telling_sources(request.data_folder, status);
  Study study(std::move(request));
  if (!arguments.engine.engine.empty()) {
    status.clear();
    return hand_over(arguments, study);
  }

  if (common.dry_run) {
    const Pilot pilot =
        pilot_of(arguments.pilot, study.plan(), study.look(), study.executor(), options);
    const PlanEstimate estimate = study.estimate(options, pilot);
    status.clear();
    print_out(common.json ? json_text(estimate_json(estimate))
                          : estimate_text(estimate) + shared_text(study.plan(), estimate));
    return kDone;
  }
  const StudyOutlook outlook = study.outlook(options);
  options.refused = outlook.refused;
  status.clear();
  if (!announce(outlook)) return kRunsFailed;
  announce_programs(outlook.pending);
  if (const std::string note = left_out_text(study.left_out()); !note.empty()) print_note(note);
  const WorkReport done = work(options, study.store_path(), [&](const ExecuteOptions& watched) {
    return study.execute(watched);
  });
  if (study.decided()) print_note(until_text(*study.decided()));
  if (!arguments.no_report)
    print_out(render(study.results(), find_format(common.json ? "json" : "text")));
  return done.exit_code;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  add_protocol(syntax, arguments->work);
  add_part(syntax, arguments->part);
  syntax.text(
      "--until", "decided", arguments->until,
      "Run only the splits that decide each cell with a\npublished value: equivalent to it, or "
      "different");
  syntax.count("--max-splits", arguments->max_splits,
               "With --until: give up after N splits\n(default: as many as the protocol has)");
  syntax.number("--delta", "POINTS", arguments->delta,
                "A gap within it is equivalent to none\n(default: what the protocol says)");
  add_work(syntax, arguments->work);
  add_pilot(syntax, arguments->pilot);
  syntax.flag("--no-report", arguments->no_report, "Print no report at the end");
  add_engine(syntax, arguments->engine);
  syntax.footer(wrap(
      "What the store holds is not done again: the same command resumes. Ctrl-C ends it cleanly."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_run;
const Command command_run = {Topic::kRuns, "run", "Run a protocol and print its tables", declare};

}  // namespace cupel::cli
