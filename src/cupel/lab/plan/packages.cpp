#include "cupel/lab/plan/packages.h"

#include <chrono>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/base/visible.h"
#include "cupel/lab/isolation/isolation.h"
#include "cupel/lab/isolation/task_folder.h"

namespace cupel {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds kPatience{60};
// The line that answers begins with it: an interpreter may say more when it starts.
constexpr std::string_view kMark = "cupel-packages ";
constexpr const char* kQuestion = R"(
import importlib.metadata, json, sys
def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
print("\ncupel-packages " + json.dumps({name: version(name) for name in sys.argv[1:]}))
)";

bool is_python(const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  return name.starts_with("python") || name.starts_with("pypy");
}

// The interpreter and its options: they tell, among other things, where it looks for packages. What
// follows them is a script, or -m or -c and its argument.
std::vector<std::string> interpreter_of(const std::vector<std::string>& command) {
  std::vector<std::string> out = {command[0]};
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& argument = command[i];
    if (argument.size() < 2 || argument[0] != '-' || argument[1] == '-') break;
    // Options of one letter may stand together, the last of them with a value: -Im mine, -uXdev.
    const std::size_t valued = argument.find_first_of("mcWX", 1);
    const bool runs =
        valued != argument.npos && (argument[valued] == 'm' || argument[valued] == 'c');
    if (runs) {
      if (valued > 1) out.push_back(argument.substr(0, valued));
      break;
    }
    out.push_back(argument);
    if (valued == argument.size() - 1 && i + 1 < command.size()) out.push_back(command[++i]);
  }
  return out;
}

std::string last_line(const std::string& said) {
  std::istringstream lines(said);
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) last = line;
  return visible_line(last);
}

// What the interpreter says of the packages, null for those that it does not have.
json ask(const ExternalCommand& question) {
  TaskFolder folder;
  folder.renew();
  ProgramStart start;
  start.task = folder.run();
  ProcessRequest request = program_request(question, isolation_of(question), start);
  request.deadline = std::chrono::steady_clock::now() + kPatience;
  const ProcessResult result = run_process(request);
  if (result.end == ProcessResult::End::kTimeout) fail("it did not answer within a minute");
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kMark)) continue;
    json answer = json::parse(line.substr(kMark.size()), nullptr, false);
    if (answer.is_object()) return answer;
  }
  const std::string said = last_line(result.output);
  fail("it does not answer{}", said.empty() ? "" : "; it said: " + said);
}

}  // namespace

std::map<std::string, std::string> package_versions(const std::string& where,
                                                    const ExternalCommand& program) {
  if (program.packages.empty()) return {};
  const std::string& python = program.command[0];
  if (!is_python(python))
    fail(
        "{}: 'packages' are asked of the Python that 'command' begins with, and '{}' is none; "
        "begin with one, or tell versions by a setting, as version = \"1.2\"",
        where, python);
  if (const std::string refusal = isolation_refusal(program); !refusal.empty())
    fail("{}: {}", where, refusal);
  ExternalCommand question = program;
  question.command = interpreter_of(program.command);
  question.command.insert(question.command.end(), {"-c", kQuestion});
  question.command.insert(question.command.end(), program.packages.begin(), program.packages.end());
  question.network = false;
  json answer;
  try {
    answer = ask(question);
  } catch (const Error& error) {
    fail("{}: '{}' was asked for the versions of 'packages', and {}", where, python, error.what());
  }
  std::map<std::string, std::string> out;
  for (const std::string& name : program.packages) {
    const auto version = answer.find(name);
    if (version == answer.end() || !version->is_string())
      fail(
          "{}: 'packages' names '{}', and {} has no such package; name it as pip does, or install "
          "it there",
          where, name, python);
    out[name] = version->get<std::string>();
  }
  return out;
}

}  // namespace cupel
