#include "cupel/lab/run/control_group.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "cupel/base/error.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool has_word(const fs::path& file, const std::string& word) {
  std::istringstream words(text_of(file));
  for (std::string one; words >> one;) {
    if (one == word) return true;
  }
  return false;
}

bool set(const fs::path& file, const std::string& value) {
  std::ofstream out(file);
  out << value << std::flush;
  return out.good();
}

// "NAME N" lines, as memory.events has them.
std::int64_t number_in(const fs::path& file, const std::string& name) {
  std::istringstream lines(text_of(file));
  std::string key;
  for (std::int64_t value = 0; lines >> key >> value;) {
    if (key == name) return value;
  }
  return 0;
}

// Our own group in the second hierarchy, "/user.slice/..."; empty where there is none.
std::string own_group() {
  std::istringstream lines(text_of("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0::/")) return line.substr(3);
  }
  return "";
}

// Groups of ours whose makers are dead; the kernel keeps those that hold anything.
void sweep(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (!name.starts_with("cupel-")) continue;
    const auto maker = static_cast<pid_t>(std::atoi(name.c_str() + 6));
    if (maker > 0 && ::kill(maker, 0) != 0 && errno == ESRCH) ::rmdir(entry->path().c_str());
  }
}

}  // namespace

std::unique_ptr<ControlGroup> ControlGroup::make(std::int64_t memory_bytes, int tasks,
                                                 const fs::path& root) {
  static std::atomic<int> number = 0;
  const std::string own = own_group();
  if (own.empty() || !fs::exists(root / "cgroup.controllers")) return nullptr;
  for (fs::path at = own;; at = at.parent_path()) {
    const fs::path parent = root / at.relative_path();
    const fs::path path = parent / fmt::format("cupel-{}-{}", ::getpid(), number++);
    if (has_word(parent / "cgroup.subtree_control", "memory") && ::mkdir(path.c_str(), 0700) == 0) {
      sweep(parent);
      std::unique_ptr<ControlGroup> out(new ControlGroup(path));
      // All of it goes at once; half a program has no result.
      set(path / "memory.oom.group", "1");
      set(path / "memory.swap.max", "0");
      if (tasks > 0) set(path / "pids.max", std::to_string(tasks));
      const bool limited =
          memory_bytes <= 0 || set(path / "memory.max", std::to_string(memory_bytes));
      if (limited && ::access(out->members().c_str(), W_OK) == 0) return out;
    }
    if (at == at.parent_path()) return nullptr;
  }
}

ControlGroup::~ControlGroup() {
  set(path_ / "cgroup.kill", "1");
  // The dead leave it a moment later.
  for (int i = 0; i < 200 && ::rmdir(path_.c_str()) != 0 && errno == EBUSY; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

bool ControlGroup::ran_out_of_memory() const {
  return number_in(path_ / "memory.events", "oom_kill") > 0;
}

std::int64_t ControlGroup::most_memory() const {
  return std::atoll(text_of(path_ / "memory.peak").c_str());
}

}  // namespace cupel
