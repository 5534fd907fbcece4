#include "cupel/lab/shards/slurm.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <numeric>

#include "temp_folder.h"

namespace cupel {
namespace {

std::string text_of(const std::vector<SlurmArray>& arrays) {
  std::string out;
  for (const SlurmArray& array : arrays)
    out += std::to_string(array.offset) + "+" + array.indices + " ";
  return out;
}

TEST(Slurm, ArraysAreCutAtTheLargestIndex) {
  std::vector<int> all(7);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(text_of(slurm_arrays(all, 100)), "0+0-6 ");
  EXPECT_EQ(text_of(slurm_arrays(all, 7)), "0+0-6 ");
  EXPECT_EQ(text_of(slurm_arrays(all, 3)), "0+0-2 3+0-2 6+0 ");
  EXPECT_EQ(text_of(slurm_arrays({9, 3, 4, 12, 5}, 10)), "0+3-5,9 10+2 ");
  EXPECT_EQ(text_of(slurm_arrays({}, 10)), "");
}

SlurmPlan odd_plan(const std::filesystem::path& folder) {
  SlurmPlan out;
  out.program = folder / "cu'pel";
  out.plan = folder / "my plan.plan";
  out.folder = folder / "$HOME; `x`";
  out.store = folder / "all of it.sqlite";
  out.hash = "0123456789abcdef";
  out.shards = 12;
  return out;
}

// What a shell passes on to a program that prints its arguments, one a line.
std::vector<std::string> words_of(const std::string& command, const std::filesystem::path& folder) {
  std::ofstream(folder / "cu'pel") << "#!/bin/sh\nfor a; do echo \"$a\"; done\n";
  std::filesystem::permissions(folder / "cu'pel", std::filesystem::perms::owner_all);
  std::ofstream(folder / "run.sh") << command << " > " << (folder / "out").string() << "\n";
  EXPECT_EQ(std::system(("sh " + (folder / "run.sh").string()).c_str()), 0);
  std::ifstream in(folder / "out");
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Slurm, OddPathsPassAShellUnharmed) {
  const TempFolder folder;
  const std::filesystem::path root = folder / ".";
  const SlurmPlan plan = odd_plan(root);
  EXPECT_EQ(words_of(work_command(plan, {}, 2), root),
            (std::vector<std::string>{"work", plan.plan.string(), "--out", plan.folder.string(),
                                      "--shard", "3/12"}));
}

TEST(Slurm, ScriptsAreShell) {
  const TempFolder folder;
  const SlurmPlan plan = odd_plan(folder / ".");
  const SlurmOptions options{"short", "2:00:00", 10, 4, "2G", 60};
  for (const std::string& script :
       {slurm_task_script(plan, options), slurm_merge_script(plan, options)}) {
    std::ofstream(folder / "script.sh") << script;
    EXPECT_EQ(std::system(("sh -n " + (folder / "script.sh").string()).c_str()), 0) << script;
    EXPECT_NE(script.find("#SBATCH --partition=short\n"), std::string::npos) << script;
  }
  const std::string task = slurm_task_script(plan, options);
  for (const char* line : {"#SBATCH --time=2:00:00\n", "#SBATCH --cpus-per-task=4\n",
                           "#SBATCH --mem=2G\n", "#SBATCH --signal=B:USR1@60\n"})
    EXPECT_NE(task.find(line), std::string::npos) << line;
  EXPECT_EQ(slurm_array_arguments({20, "0-9"}, options)[1], "--array=0-9%10");
  EXPECT_NE(task.find(" --jobs 4 --memory 2G --timeout 60 &\n"), std::string::npos) << task;
  SlurmOptions again;
  again.retry_failed = true;
  EXPECT_NE(slurm_task_script(plan, again).find(" --retry-failed &\n"), std::string::npos);
  EXPECT_TRUE(work_command(plan, again, 0).ends_with(" --retry-failed"));
  const std::string line = work_command(plan, options, 0);
  EXPECT_TRUE(line.ends_with(" --jobs 4 --memory 2G --timeout 60")) << line;
}

// Slurm takes "%j" for the number of a job, "%%" for a percent sign.
TEST(Slurm, APercentSignOfAFolderIsNoPlaceholder) {
  SlurmPlan plan = odd_plan("/w");
  plan.folder = "/w/100%jobs.shards";
  const std::string task = slurm_task_script(plan, {}), merge = slurm_merge_script(plan, {});
  EXPECT_NE(task.find("#SBATCH --output=/w/100%%jobs.shards/log-%A-%a.txt\n"), std::string::npos)
      << task;
  EXPECT_NE(merge.find("#SBATCH --output=/w/100%%jobs.shards/log-merge-%j.txt\n"),
            std::string::npos)
      << merge;
  EXPECT_NE(task.find(" --out /w/100%jobs.shards "), std::string::npos) << task;
}

}  // namespace
}  // namespace cupel
