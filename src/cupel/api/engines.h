// Engines that hand out the shards of a plan: Slurm, or whatever takes a line of a shell for each.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cupel/lab/shards/frozen_plan.h"
#include "cupel/lab/shards/slurm.h"

namespace cupel {

// Throws Error, in the name of a command, for what is neither "slurm" nor "commands".
void check_engine(const char* command, const std::string& engine);

// A plan in a file and all that an engine's jobs need to know of this machine: `program` is cupel.
// Throws Error for paths that its jobs cannot name.
[[nodiscard]] SlurmPlan engine_plan(const std::string& engine, const std::filesystem::path& program,
                                    const FrozenPlan& plan, const std::filesystem::path& file,
                                    const std::filesystem::path& folder,
                                    const std::filesystem::path& data,
                                    const std::filesystem::path& store);

// A command for each of the shards, in lines.
[[nodiscard]] std::string work_commands(const SlurmPlan& plan, const SlurmOptions& options,
                                        const std::vector<int>& shards);

// Jobs of Slurm, by their numbers.
struct SubmittedJobs {
  std::vector<std::string> arrays;
  std::string merge;  // after all of them
};
// Hands shards to Slurm, and then the merge; writes the scripts into the plan's folder, and notes
// there which jobs these are. Throws Error for a folder that cannot be written, where there is no
// Slurm, and for what it refuses. Not for several threads on one folder.
[[nodiscard]] SubmittedJobs submit_to_slurm(const SlurmPlan& plan, const SlurmOptions& options,
                                            const std::vector<int>& shards);

// By shard, what Slurm says of it ("RUNNING", "PENDING"), of jobs that were noted. Empty where
// there is no Slurm. Throws Error for notes that cannot be read.
[[nodiscard]] std::map<int, std::string> slurm_states(const std::filesystem::path& folder,
                                                      const std::string& hash);

}  // namespace cupel
