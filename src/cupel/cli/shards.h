// What the commands that share a plan among machines have in common.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/api/settle.h"
#include "cupel/cli/options.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/run/pilot.h"
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
// pilot_for() (study.h), with a line on a terminal while it lasts.
[[nodiscard]] Pilot pilot_of(const std::string& argument, const Plan& plan, const Store& store,
                             const Executor& executor, const ExecuteOptions& options);

// How a plan is cut.
void add_cut(Syntax& syntax, CutRequest& cut);

// settle(), with a line on a terminal while something is tried out. Says on standard error what
// there is to say.
[[nodiscard]] SettledPlan settled(Study& study, const SettleRequest& request);

// How an engine is asked.
struct EngineArguments {
  std::string engine;  // "slurm", "commands"; empty: none
  SlurmOptions slurm;
  CutRequest cut;
};
void add_engine(Syntax& syntax, EngineArguments& arguments);

// The file of this program.
[[nodiscard]] std::filesystem::path own_program();

// Hands shards to "slurm", and then the merge; says which jobs these are. To "commands": prints a
// command for each. Throws Error, also for what Slurm refuses.
void hand_to(const std::string& engine, const SlurmPlan& plan, const SlurmOptions& options,
             const std::vector<int>& shards);

}  // namespace cupel::cli
