// cupel status: how far a plan is.
#include <memory>

#include <nlohmann/json.hpp>

#include "cupel/api/engines.h"
#include "cupel/api/how.h"
#include "cupel/api/plan_progress.h"
#include "cupel/base/json_text.h"
#include "cupel/cli/command.h"
#include "cupel/cli/output.h"
#include "cupel/cli/shards.h"
#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

constexpr std::size_t kMostShown = 40;

struct Arguments {
  std::string plan, out, store, engine = "slurm";
  DataArgument data;
  SlurmOptions slurm;
  bool resubmit = false, json = false;
};

std::string text_of(const PlanProgress& progress) {
  const FrozenPlan& plan = progress.plan;
  std::int64_t done = 0, failed = 0, complete = 0, with_runs = 0;
  double left = 0;
  Columns columns("lrrll");
  columns.row({"SHARD", "DONE", "OF", "STATE", "MACHINE"});
  std::size_t open = 0;
  for (const ShardProgress& row : progress.shards) {
    done += row.status.done;
    failed += row.status.failed;
    left += row.status.seconds_left;
    // More shards that were asked for than have runs: of the others nothing is done.
    with_runs += row.status.runs > 0;
    complete += row.status.runs > 0 && row.state == "done";
    if (row.state == "done" || ++open > kMostShown) continue;
    columns.row({fmt::format("{}/{}", row.shard + 1, plan.shards), grouped(row.status.done),
                 grouped(row.status.runs), row.state, row.machine});
  }
  std::string out =
      fmt::format("{} of {} done, in {} of {}{} all are", grouped(done),
                  counted(plan.count(), "run"), grouped(complete), counted(with_runs, "shard"),
                  with_runs < plan.shards ? " that have runs" : "");
  if (failed > 0) out += fmt::format("; {} failed", grouped(failed));
  if (open == 0) return out + "\n";
  out += fmt::format("; about {} of one processor are left\n\n", duration_text(left));
  out += columns.text();
  if (open > kMostShown) out += fmt::format("  and {} more (--json)\n", open - kMostShown);
  return out;
}

int perform(const Arguments& arguments) {
  check_engine("status", arguments.engine);
  if (!arguments.slurm.memory.empty()) (void)parse_size("--memory", arguments.slurm.memory);
  const bool lines = arguments.resubmit && arguments.engine == "commands";
  const PlanProgress progress = progress_of(arguments.plan, arguments.out, arguments.store);
  const std::vector<int> missing = progress.missing();
  // What is run by a shell is told alone.
  if (!lines)
    print_out(arguments.json ? json_text(plan_progress_json(progress)) : text_of(progress));
  for (const std::string& note : damage_notes(progress)) print_note(note);
  if (!arguments.resubmit) return missing.empty() ? kDone : kRunsFailed;
  if (missing.empty()) {
    print_note("nothing is missing, so that nothing is submitted");
    return kDone;
  }
  hand_to(arguments.engine,
          engine_plan(arguments.engine, own_program(), progress.plan, arguments.plan,
                      progress.folder, arguments.data.folder(), progress.store),
          arguments.slurm, missing);
  return kDone;
}

Action declare(Syntax& syntax) {
  auto arguments = std::make_shared<Arguments>();
  syntax.required("PLAN", arguments->plan, "A file of `cupel plan`, or of `run --engine`")
      .text("--out", "DIR", arguments->out,
            "Where shards are published (default: p.shards of p.plan)")
      .flag("--resubmit", arguments->resubmit,
            "Hand out what is missing or damaged, and neither running\nnor queued")
      .text("--engine", "slurm|commands", arguments->engine,
            "To Slurm (the default), or print a command for each")
      .text("--store", "FILE", arguments->store, "Then merge into it (default: p.sqlite of p.plan)")
      .text("--partition", "NAME", arguments->slurm.partition, "Partition of Slurm")
      .text("--time", "TIME", arguments->slurm.time, "Limit of a shard, as Slurm writes it")
      .count("--max-parallel", arguments->slurm.max_parallel, "Shards at a time")
      .group("How a shard is done")
      .count("--jobs", arguments->slurm.jobs, "Runs at a time")
      .text("--memory", "SIZE", arguments->slurm.memory, "Limit of all runs together")
      .seconds("--timeout", arguments->slurm.timeout, "Limit of one run")
      .flag("--retry-failed", arguments->slurm.retry_failed, "Do failed and timed-out runs again");
  syntax.goes_with("--resubmit", {"--engine", "--store", "--partition", "--time", "--max-parallel",
                                  "--jobs", "--memory", "--timeout", "--retry-failed"});
  syntax.group("");
  add_data(syntax, arguments->data);
  add_json(syntax, arguments->json);
  syntax.footer(wrap("Ends with 1 while shards are missing or damaged that nobody is at."));
  return [arguments] { return perform(*arguments); };
}

}  // namespace

extern const Command command_status;
const Command command_status = {Topic::kClusters, "status", "How far the shards of a plan are",
                                declare};

}  // namespace cupel::cli
