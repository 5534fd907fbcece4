#include "cupel/api/engines.h"

#include <charconv>
#include <sstream>

#include "cupel/api/command_output.h"
#include "cupel/base/brief.h"
#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"
#include "cupel/base/visible.h"
#include "cupel/base/write_file.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// Slurm's own default, where it does not say.
constexpr int kUsualMaxArraySize = 1001;

// "1234;cluster\n", "1234\n" -> "1234".
std::string job_id(const std::string& said) {
  const std::size_t end = said.find_first_of(";\n");
  const std::string id = said.substr(0, end);
  if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos)
    fail("sbatch: says '{}' instead of the number of a job", brief(said));
  return id;
}

std::string slurm_configuration() {
  try {
    return output_of({"scontrol", "show", "config"});
  } catch (const Error& error) {
    fail("Slurm does not answer: {}; --engine commands prints a command for each shard instead",
         error.what());
  }
}

int max_array_size() {
  std::istringstream lines(slurm_configuration());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("MaxArraySize")) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    int size = 0;
    if (digits != std::string::npos)
      std::from_chars(line.data() + digits, line.data() + line.size(), size);
    if (size > 1) return size;
  }
  return kUsualMaxArraySize;
}

fs::path jobs_file(const fs::path& folder, const std::string& hash) {
  return folder / (hash + ".jobs");
}

std::string read_jobs(const fs::path& folder, const std::string& hash) {
  const fs::path path = jobs_file(folder, hash);
  return is_there(path) ? read_small_file(path) : "";
}

std::string submitted(std::vector<std::string> arguments, const fs::path& script) {
  arguments.insert(arguments.begin(), "sbatch");
  arguments.push_back(script.string());
  return job_id(output_of(arguments));
}

}  // namespace

SlurmPlan engine_plan(const std::string& engine, const fs::path& program, const FrozenPlan& plan,
                      const fs::path& file, const fs::path& folder, const fs::path& data,
                      const fs::path& store) {
  SlurmPlan out;
  out.program = program;
  out.plan = absolute_path(file);
  out.folder = absolute_path(folder);
  out.store = absolute_path(store);
  std::error_code error;
  if (fs::is_directory(data, error)) out.data = absolute_path(data);
  out.hash = plan.hash;
  out.shards = plan.shards;
  // Commands are lines, as are the directives of Slurm, and are printed: what is not shown as it is
  // would name another file.
  for (const fs::path& path : {out.program, out.plan, out.folder, out.store, out.data}) {
    if (path.string().find('\n') != std::string::npos)
      fail("'{}' has a line end, and commands of shards are lines; rename the folder",
           visible_line(path.string()));
    if (visible(path.string()) != path.string())
      fail(
          "'{}' has bytes that are not UTF-8 or characters that cannot be seen, and commands of "
          "shards are text; rename the folder",
          visible_line(path.string()));
  }
  // A backslash anywhere in the name of a log turns Slurm's numbers in it off, so that all jobs
  // would write into one file.
  if (engine == "slurm" && out.folder.string().find('\\') != std::string::npos)
    fail(
        "'{}' has a backslash, for which Slurm does not number the logs of jobs; rename the "
        "folder, or take --engine commands",
        out.folder.string());
  return out;
}

void check_engine(const char* command, const std::string& engine) {
  if (engine != "slurm" && engine != "commands")
    fail("{}: --engine takes 'slurm' or 'commands', not '{}'", command, engine);
}

std::string work_commands(const SlurmPlan& plan, const SlurmOptions& options,
                          const std::vector<int>& shards) {
  std::string out;
  for (const int shard : shards) out += work_command(plan, options, shard) + "\n";
  return out;
}

SubmittedJobs submit_to_slurm(const SlurmPlan& plan, const SlurmOptions& options,
                              const std::vector<int>& shards) {
  const int most = max_array_size();
  std::error_code error;
  fs::create_directories(plan.folder, error);
  const fs::path task = plan.folder / (plan.hash + ".work.sh");
  const fs::path merge = plan.folder / (plan.hash + ".merge.sh");
  write_file(task, slurm_task_script(plan, options));
  write_file(merge, slurm_merge_script(plan, options));
  std::string noted = read_jobs(plan.folder, plan.hash);
  SubmittedJobs out;
  for (const SlurmArray& array : slurm_arrays(shards, most)) {
    out.arrays.push_back(submitted(slurm_array_arguments(array, options), task));
    noted += fmt::format("{} {}\n", out.arrays.back(), array.offset);
    write_file(jobs_file(plan.folder, plan.hash), noted);
  }
  out.merge = submitted(slurm_merge_arguments(out.arrays), merge);
  return out;
}

std::map<int, std::string> slurm_states(const fs::path& folder, const std::string& hash) {
  std::map<std::string, int> offsets;  // by job
  std::istringstream noted(read_jobs(folder, hash));
  std::string id;
  for (int offset = 0; noted >> id >> offset;) offsets[id] = offset;
  std::map<int, std::string> out;
  if (offsets.empty()) return out;
  std::string said;
  try {
    // Without --jobs, which refuses jobs that ended long ago.
    said = output_of({"squeue", "--noheader", "--array", "--me", "--format=%F %K %T"});
  } catch (const Error&) {
    return out;  // what was published tells enough
  }
  std::istringstream lines(said);
  std::string index, state;
  while (lines >> id >> index >> state) {
    int number = 0;
    const auto [end, bad] = std::from_chars(index.data(), index.data() + index.size(), number);
    const auto job = offsets.find(id);
    if (job != offsets.end() && bad == std::errc()) out[job->second + number] = state;
  }
  return out;
}

}  // namespace cupel
