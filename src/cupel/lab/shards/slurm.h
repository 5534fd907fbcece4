// A plan as jobs of Slurm (https://slurm.schedmd.com): an array with a task for each shard, and a
// job that merges what they published. Only text is made here; nothing is submitted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cupel {

struct SlurmOptions {
  std::string partition;  // empty: the default one
  std::string time;       // limit of a task as Slurm writes it; empty: the partition's
  int max_parallel = 0;   // tasks at a time; 0: as many as there are places
  int jobs = 0;           // processors of a task; 0: 1 of Slurm, any elsewhere
  std::string memory;  // of a task, as cupel and Slurm both write it: "4G"; empty: their defaults
  double timeout = 0;  // seconds of a run; 0: as its row says
  bool retry_failed = false;  // do again what failed in an earlier attempt
};

struct SlurmPlan {
  std::filesystem::path program, plan, folder;  // cupel, the plan, where shards are published
  std::filesystem::path data, store;  // data sets (may be empty); what shards are merged into
  std::string hash;                   // of the plan
  int shards = 1;
};

// Task indices of arrays: 0-based shards in stretches as Slurm's --array takes them, each below
// `most` after `offset` is taken off. Slurm refuses indices from MaxArraySize on.
struct SlurmArray {
  int offset = 0;
  std::string indices;  // "0-99", "3,7-9"
};
[[nodiscard]] std::vector<SlurmArray> slurm_arrays(const std::vector<int>& shards, int most);

// The script of a task. It gets its offset as CUPEL_SHARD_OFFSET. A minute before its time is up,
// or when it is to make room, the task publishes what it has and is queued again.
[[nodiscard]] std::string slurm_task_script(const SlurmPlan& plan, const SlurmOptions& options);
// The script that merges when all tasks have ended, well or not.
[[nodiscard]] std::string slurm_merge_script(const SlurmPlan& plan, const SlurmOptions& options);

// Arguments of sbatch before the script.
[[nodiscard]] std::vector<std::string> slurm_array_arguments(const SlurmArray& array,
                                                             const SlurmOptions& options);
[[nodiscard]] std::vector<std::string> slurm_merge_arguments(const std::vector<std::string>& ids);

// One line for each of `shards`, for GNU parallel, xargs, HTCondor and the like.
[[nodiscard]] std::string work_command(const SlurmPlan& plan, const SlurmOptions& options,
                                       int shard);

}  // namespace cupel
