#include "cupel/cli/shards.h"

#include "cupel/api/engines.h"
#include "cupel/api/part.h"
#include "cupel/base/shell.h"
#include "cupel/cli/output.h"
#include "cupel/cli/terminal.h"
#include "cupel/cli/text.h"

namespace cupel::cli {

void add_part(Syntax& syntax, PartArguments& part) {
  add_list(syntax, "--tables", part.tables, "Only these tables, by id");
  syntax.texts(
      "--choices", "NAME=A,B,...", part.choices,
      "Only these values of what rows choose from:\nlayers=1,2, or sage.layers=1 for one row");
  syntax.text("--split", "A,B,C", part.split,
              "Facts over time: train to time A, valid to B, test to C;\nshares of the facts, "
              "0.7,0.85; or the cuts of a graph of\nEXPERT, iclr. Nothing is published of these");
  syntax.count("--splits", part.splits, "Only the first N splits");
  syntax.count("--inits", part.inits, "Only the first N initialisations");
  syntax.flag("--available", part.available, "Only data sets that are at hand; say which are not");
}

Selection selection_of(const Protocol& protocol, const WorkArguments& work,
                       const PartArguments& part) {
  ProtocolPart out = part_of(protocol,
                             {.datasets = split_list(work.datasets),
                              .models = split_list(work.models),
                              .tables = split_list(part.tables),
                              .choices = part.choices,
                              .splits = part.splits,
                              .inits = part.inits,
                              .available = part.available},
                             [&] { return plan_sources(work.data.folder()); });
  if (!out.left_out.empty()) print_note(out.left_out);
  return std::move(out.selection);
}

void add_pilot(Syntax& syntax, std::string& pilot) {
  syntax.text(
      "--pilot", "TIME|none", pilot,
      "To estimate what never ran here, begin a run of each\nrow for so long in all (default: "
      "10s)");
}

Pilot pilot_of(const std::string& argument, const Plan& plan, const Store& store,
               const Executor& executor, const ExecuteOptions& options) {
  StatusLine status;
  if (argument != "none") status.show(kTryingOut, true);
  return pilot_for(argument, plan, store, executor, options);
}

void add_cut(Syntax& syntax, CutRequest& cut) {
  syntax.text("--shards", "N|auto", cut.shards, "Into how many parts (default: auto, by --target)")
      .text("--target", "TIME", cut.target,
            "What a part should take on one processor: 90s, 20m,\n2h (default: 20m)");
}

SettledPlan settled(Study& study, const SettleRequest& request) {
  StatusLine status;
  SettledPlan out = settle(study, request, [&] { status.show(kTryingOut, true); });
  status.clear();
  if (!out.note.empty()) print_note(out.note);
  return out;
}

void add_engine(Syntax& syntax, EngineArguments& arguments) {
  syntax.group("Many machines")
      .text("--engine", "slurm|commands", arguments.engine,
            "Hand shards to Slurm, or print a command for each")
      .text("--partition", "NAME", arguments.slurm.partition, "Partition of Slurm")
      .text("--time", "TIME", arguments.slurm.time, "Limit of a shard, as Slurm writes it: 2:00:00")
      .count("--max-parallel", arguments.slurm.max_parallel, "Shards at a time");
  add_cut(syntax, arguments.cut);
  syntax.goes_with("--engine", {"--partition", "--time", "--max-parallel", "--shards", "--target"});
}

std::filesystem::path own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

void hand_to(const std::string& engine, const SlurmPlan& plan, const SlurmOptions& options,
             const std::vector<int>& shards) {
  if (engine == "slurm") {
    const SubmittedJobs jobs = submit_to_slurm(plan, options, shards);
    print_note(fmt::format("Slurm has {} in {} ({}), and job {} then merges into {}",
                           counted(std::ssize(shards), "shard"),
                           counted(std::ssize(jobs.arrays), "array"), fmt::join(jobs.arrays, ", "),
                           jobs.merge, plan.store.string()));
    return;
  }
  print_out(work_commands(plan, options, shards));
  print_note(fmt::format("then `cupel merge {} {}`", shell_word(plan.store.string()),
                         shell_word(plan.folder.string())));
}

}  // namespace cupel::cli
