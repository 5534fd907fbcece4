// Runs the real program as a user's shell does.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "build_paths.h"
#include "temp_folder.h"

namespace cupel::test {

struct Outcome {
  int code = -1;  // exit code; 128 + signal if a signal ended it
  std::string out, err;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// A folder of its own for each test, which is the program's current folder; removed at the end.
// CUPEL_DATA names a folder that is not there unless a test says otherwise.
class Workplace {
 public:
  Workplace() {
    std::filesystem::create_directory(root_ / "here");
    set("CUPEL_DATA", (root_ / "data").string());
  }
  void set(const std::string& variable, const std::string& value) { variables_[variable] = value; }

  // Starts the program; `error` is its standard error, or -1 for a file that finish() reads.
  pid_t start(const std::vector<std::string>& arguments, int error = -1) const {
    const pid_t process = ::fork();
    if (process != 0) return process;
    // The child: nothing but system calls and exec. A shell's background jobs ignore interrupts.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
    const std::string out = (root_ / "out").string(), err = (root_ / "err").string();
    ::dup2(::open(out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDOUT_FILENO);
    ::dup2(error >= 0 ? error : ::open(err.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600),
           STDERR_FILENO);
    std::vector<std::string> all = {CUPEL_PROGRAM};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& argument : all) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    for (const auto& [name, value] : variables_) ::setenv(name.c_str(), value.c_str(), 1);
    if (::chdir((root_ / "here").c_str()) == 0) ::execv(CUPEL_PROGRAM, pointers.data());
    ::_exit(127);
  }

  Outcome finish(pid_t process) const {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, read_file(root_ / "out"), read_file(root_ / "err")};
  }

  Outcome run(const std::vector<std::string>& arguments) const { return finish(start(arguments)); }

  std::filesystem::path path(const std::string& name) const { return root_ / "here" / name; }
  std::string read(const std::string& name) const { return read_file(path(name)); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  // Names in the current folder, hidden ones too, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(root_ / "here"))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  const TempFolder root_;
  std::map<std::string, std::string> variables_;
};

// A protocol of a moment: a generated graph, two models without training and one with.
// 2 x 1 + 2 x 1 + 2 x 3 = 10 distinct runs.
inline constexpr const char* kSmallProtocol = R"(title = "Small"
[data]
datasets = ["csbm:classes=3,features=60,nodes=200"]
prepare = ["largest-component"]
[split]
scheme = "per-class"
train = 5
valid = 5
count = 2
[train]
max_epochs = 30
inits = 3
[models.mlp]
hidden = 8
[models.labelprop]
[models.majority]
)";
inline constexpr int kSmallRuns = 10;

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace cupel::test
