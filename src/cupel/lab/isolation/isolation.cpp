#include "cupel/lab/isolation/isolation.h"

#include <algorithm>
#include <cstdlib>

#include "cupel/base/error.h"
#include "cupel/base/paths.h"
#include "cupel/base/words.h"
#include "cupel/lab/isolation/bubblewrap.h"
#include "cupel/lab/isolation/environment.h"
#include "cupel/lab/isolation/visible_paths.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNone = "none";
constexpr const char* kTaskWord = "{task}";

// Once from left to right: what is put in is not looked at again.
std::string with_task(const std::string& argument, const std::string& task) {
  const std::size_t size = std::string(kTaskWord).size();
  std::string out;
  std::size_t from = 0;
  for (auto at = argument.find(kTaskWord); at != std::string::npos;
       at = argument.find(kTaskWord, from)) {
    out += argument.substr(from, at - from) + task;
    from = at + size;
  }
  return out + argument.substr(from);
}

fs::path folder_of(const ExternalCommand& program) { return absolute_path(program.folder); }

}  // namespace

Isolation isolation_of(const ExternalCommand& program) {
  if (program.isolation == kNone) return {kNone, {}, "the protocol says isolation = \"none\""};
  const Bubblewrap found = find_bubblewrap();
  if (found.program.empty()) return {kNone, {}, found.reason};
  return {"bubblewrap", found.program, ""};
}

std::string isolation_refusal(const ExternalCommand& program) {
  if (program.isolation != "required") return "";
  const Isolation found = isolation_of(program);
  if (found.isolates()) return "";
  return fmt::format(
      "isolation = \"required\", and there is none on this machine: {}; install it, or say "
      "isolation = \"auto\"",
      found.reason);
}

fs::path task_seen(const Isolation& isolation, const fs::path& task) {
  return !isolation.isolates() ? task : fs::path(kTaskMount);
}

ProcessRequest program_request(const ExternalCommand& program, const Isolation& isolation,
                               const ProgramStart& start) {
  const fs::path folder = folder_of(program);
  const std::string task = task_seen(isolation, start.task).string();
  std::vector<std::string> command;
  for (const std::string& argument : program.command) command.push_back(with_task(argument, task));
  const fs::path found = find_program(command[0], folder);
  if (found.empty())
    fail("'{}' cannot be started in {}: No such file or directory, or none that may be run",
         command[0], folder.string());
  command[0] = found.string();

  ProcessRequest out;
  auto environment = start.environment;
  // Kept apart it has a /tmp of its own.
  if (const char* const temporary = std::getenv("TMPDIR"); temporary && !isolation.isolates())
    environment.emplace_back("TMPDIR", temporary);
  out.environment = program_environment(environment);
  out.memory_bytes = program.memory_mb << 20;
  out.tasks = kMostTasks;
  if (!isolation.isolates()) {
    out.command = command;
    out.folder = folder;
    return out;
  }
  Enclosure enclosure;
  std::vector<fs::path> hidden = program.hidden;
  hidden.insert(hidden.end(), start.hidden.begin(), start.hidden.end());
  std::vector<fs::path> readable = program.readable;
  readable.insert(readable.end(), program.inputs.begin(), program.inputs.end());
  enclosure.paths = visible_paths(program.command, found, folder, readable, hidden);
  enclosure.folder = folder;
  enclosure.task = start.task;
  enclosure.given = start.given;
  enclosure.network = program.network;
  enclosure.memory_bytes = out.memory_bytes;
  out.keeper = Keeper::kBubblewrap;
  out.command = bubblewrap_command(isolation.keeper, enclosure, command);
  return out;
}

}  // namespace cupel
