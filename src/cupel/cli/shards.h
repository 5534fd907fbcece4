// What the commands that share a plan among machines have in common.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cupel/api/study.h"
#include "cupel/cli/options.h"
#include "cupel/cli/work.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/run/pilot.h"
#include "cupel/lab/shards/frozen_plan.h"
#include "cupel/lab/shards/slurm.h"

namespace cupel::cli {

// Which part of a protocol, beyond what WorkArguments say.
struct PartArguments {
  std::vector<std::string> tables, choices;
  std::string split;
  int splits = 0, inits = 0;
  bool available = false;
};
void add_part(Syntax& syntax, PartArguments& part);
// With --available, without the data sets that are not at hand, which is said on standard error.
[[nodiscard]] Selection selection_of(const Protocol& protocol, const WorkArguments& work,
                                     const PartArguments& part);

// --pilot: how long a command may try out what never ran here. "none" is nothing.
void add_pilot(Syntax& syntax, std::string& pilot);
// The pilot of a plan, with a line on a terminal while it lasts.
[[nodiscard]] Pilot pilot_of(const std::string& argument, const Plan& plan, const Store& store,
                             const Executor& executor, const ExecuteOptions& options);

// How a plan is cut.
struct CutArguments {
  std::string shards = "auto", target = "20m";
};
void add_cut(Syntax& syntax, CutArguments& cut);

// Throws Error where a plan cannot be written to `file`, or would take the place of what is no plan
// of any version: a protocol, say.
void check_plan_path(const std::filesystem::path& file);

// Seconds of a run of each family, as the plan in `file` has them, so that the same plan that is
// made again is the same. Nothing where there is no such file, or none of this version.
using PlanTimes = std::map<std::string, double>;
[[nodiscard]] PlanTimes times_of(const std::filesystem::path& file);

// The pilot of what neither the study's store nor `before` knows; of all that the store does not,
// where `argument` says for how long.
[[nodiscard]] Pilot pilot_of(const std::string& argument, Study& study,
                             const ExecuteOptions& options, const PlanTimes& before);

// Whether the study's store has all of its plan, which is then said on standard error: there is
// nothing to freeze.
[[nodiscard]] bool nothing_left(Study& study, const WorkArguments& work);

// What the study's store lacks of its plan, frozen and cut. What runs take is told by the store,
// else by `pilot`, else by `before`.
[[nodiscard]] FrozenPlan freeze(Study& study, const WorkArguments& work, const PartArguments& part,
                                const CutArguments& cut, const Pilot& pilot,
                                const PlanTimes& before);

// "142 runs in 3 shards of about 20 min": a line that tells what was settled.
[[nodiscard]] std::string frozen_summary(const FrozenPlan& plan);

// Where things lie that belong to a plan in `file`: shards are published in a folder beside it.
[[nodiscard]] std::filesystem::path shard_folder(const std::filesystem::path& file);
// The folder `out`, or if that is empty the one beside the file that the path of a plan leads to.
[[nodiscard]] std::filesystem::path published_folder(const std::string& plan,
                                                     const std::string& out);
// The same of the store that shards are merged into: `store`, else p.sqlite beside p.plan.
[[nodiscard]] std::filesystem::path merged_store(const std::string& plan, const std::string& store);

// How an engine is asked.
struct EngineArguments {
  std::string engine;  // "slurm", "commands"; empty: none
  SlurmOptions slurm;
  CutArguments cut;
};
void add_engine(Syntax& syntax, EngineArguments& arguments);

// A plan in a file and all that an engine's jobs need to know of this machine. Throws Error for
// paths that its jobs cannot name.
[[nodiscard]] SlurmPlan engine_plan(const std::string& engine, const FrozenPlan& plan,
                                    const std::filesystem::path& file,
                                    const std::filesystem::path& folder,
                                    const std::filesystem::path& data,
                                    const std::filesystem::path& store);

// Throws Error, in the name of a command, for what is no engine.
void check_engine(const char* command, const std::string& engine);

// A command for each of the shards, in lines.
[[nodiscard]] std::string work_commands(const SlurmPlan& plan, const SlurmOptions& options,
                                        const std::vector<int>& shards);

// Hands shards to "slurm", and then the merge; says which jobs these are and notes them in the
// folder. To "commands": prints a command for each. Throws Error, also for what Slurm refuses.
void hand_to(const std::string& engine, const SlurmPlan& plan, const SlurmOptions& options,
             const std::vector<int>& shards);

// By shard, what Slurm says of it ("RUNNING", "PENDING"), of jobs that were noted. Empty where
// there is no Slurm.
[[nodiscard]] std::map<int, std::string> slurm_states(const std::filesystem::path& folder,
                                                      const std::string& hash);

}  // namespace cupel::cli
