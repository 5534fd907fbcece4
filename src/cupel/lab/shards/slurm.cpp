#include "cupel/lab/shards/slurm.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cupel/base/shell.h"

namespace cupel {
namespace {

// Seconds before the end of its time at which a task is told.
constexpr int kWarning = 60;

// "3", "3-5": the indices from first to last.
std::string stretch(int first, int last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

std::string directives(const SlurmPlan& plan, const SlurmOptions& options, const char* what) {
  std::string out = "#!/bin/sh\n";
  const auto say = [&](const std::string& line) { out += "#SBATCH " + line + "\n"; };
  say(fmt::format("--job-name=cupel-{}-{}", what, plan.hash.substr(0, 8)));
  if (!options.partition.empty()) say("--partition=" + options.partition);
  if (!options.memory.empty()) say("--mem=" + options.memory);
  return out;
}

// The value of --output: where Slurm puts what a job prints. It fills in numbers for "%A" and the
// like; a percent sign of the folder's own is two.
std::string log_file(const std::filesystem::path& folder, const char* name) {
  std::string out;
  for (const char c : folder.string()) out.append(c == '%' ? 2 : 1, c);
  return shell_word((std::filesystem::path(out) / name).string());
}

// How one process of `cupel work` does its part.
std::string manner_of(const SlurmOptions& options, int jobs) {
  std::string out = jobs > 0 ? fmt::format(" --jobs {}", jobs) : "";
  if (!options.memory.empty()) out += " --memory " + options.memory;
  if (options.timeout > 0) out += fmt::format(" --timeout {}", options.timeout);
  if (options.retry_failed) out += " --retry-failed";
  return out;
}

std::string work_without_shard(const SlurmPlan& plan) {
  const std::string data = plan.data.empty() ? "" : " --data " + shell_word(plan.data.string());
  return fmt::format("{} work {} --out {}{}", shell_word(plan.program.string()),
                     shell_word(plan.plan.string()), shell_word(plan.folder.string()), data);
}

}  // namespace

std::vector<SlurmArray> slurm_arrays(const std::vector<int>& shards, int most) {
  std::vector<int> sorted = shards;
  std::sort(sorted.begin(), sorted.end());
  std::vector<SlurmArray> out;
  for (std::size_t i = 0; i < sorted.size();) {
    const int offset = sorted[i] / most * most;
    std::vector<std::string> parts;
    while (i < sorted.size() && sorted[i] < offset + most) {
      const int first = sorted[i];
      int last = first;
      while (++i < sorted.size() && sorted[i] == last + 1 && sorted[i] < offset + most) ++last;
      parts.push_back(stretch(first - offset, last - offset));
    }
    out.push_back({offset, fmt::format("{}", fmt::join(parts, ","))});
  }
  return out;
}

std::string work_command(const SlurmPlan& plan, const SlurmOptions& options, int shard) {
  return fmt::format("{} --shard {}/{}{}", work_without_shard(plan), shard + 1, plan.shards,
                     manner_of(options, options.jobs));
}

std::string slurm_task_script(const SlurmPlan& plan, const SlurmOptions& options) {
  const int jobs = std::max(options.jobs, 1);
  std::string out = directives(plan, options, "work");
  out += fmt::format("#SBATCH --cpus-per-task={}\n", jobs);
  if (!options.time.empty()) out += fmt::format("#SBATCH --time={}\n", options.time);
  out += fmt::format("#SBATCH --signal=B:USR1@{}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n",
                     kWarning);
  out += fmt::format("#SBATCH --output={}\n", log_file(plan.folder, "log-%A-%a.txt"));
  out += fmt::format(
      "shard=$((SLURM_ARRAY_TASK_ID + ${{CUPEL_SHARD_OFFSET:-0}} + 1))\n"
      "{} --shard \"$shard/{}\"{} &\n"
      "work=$!\n"
      "trap 'kill -USR1 $work' USR1 TERM\n"
      "wait $work\n"
      "code=$?\n"
      "while kill -0 $work 2>/dev/null; do wait $work; code=$?; done\n"
      "# 75: it was told to stop and has published; 138: it was told before it began. The rest is\n"
      "# for the next attempt.\n"
      "if [ $code = 75 ] || [ $code = 138 ]; then\n"
      "  scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID\"\n"
      "fi\n"
      "exit $code\n",
      work_without_shard(plan), plan.shards, manner_of(options, jobs));
  return out;
}

std::string slurm_merge_script(const SlurmPlan& plan, const SlurmOptions& options) {
  SlurmOptions small = options;
  small.memory.clear();
  return directives(plan, small, "merge") +
         fmt::format("#SBATCH --output={}\nexec {} merge {} {}\n",
                     log_file(plan.folder, "log-merge-%j.txt"), shell_word(plan.program.string()),
                     shell_word(plan.store.string()), shell_word(plan.folder.string()));
}

std::vector<std::string> slurm_array_arguments(const SlurmArray& array,
                                               const SlurmOptions& options) {
  std::string indices = array.indices;
  if (options.max_parallel > 0) indices += fmt::format("%{}", options.max_parallel);
  return {"--parsable", "--array=" + indices,
          fmt::format("--export=ALL,CUPEL_SHARD_OFFSET={}", array.offset)};
}

std::vector<std::string> slurm_merge_arguments(const std::vector<std::string>& ids) {
  return {"--parsable", fmt::format("--dependency=afterany:{}", fmt::join(ids, ":"))};
}

}  // namespace cupel
