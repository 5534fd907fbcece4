#include "cupel/lab/isolation/control_group.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
  return out.good();  // the kernel refuses what it does not take
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

// Our own group, "/user.slice/...", in the hierarchy of a controller of version 1, or, without one,
// in that of version 2; empty where there is none. A line is "NUMBER:CONTROLLERS:GROUP".
std::string own_group(const std::string& controller) {
  std::istringstream lines(text_of("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string list = "," + line.substr(first + 1, second - first - 1) + ",";
    if (list == "," + controller + "," || list.find("," + controller + ",") != std::string::npos)
      return line.substr(second + 1);
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

// A new group below `parent`; empty if there is none to be made.
fs::path new_group(const fs::path& parent) {
  static std::atomic<int> number = 0;
  fs::path out = parent / fmt::format("cupel-{}-{}", ::getpid(), number++);
  if (::mkdir(out.c_str(), 0700) != 0) return {};
  sweep(parent);
  return out;
}

bool is_usable(const fs::path& group) {
  return ::access((group / "cgroup.procs").c_str(), W_OK) == 0;
}

std::vector<fs::path> second_version(std::int64_t memory_bytes, int tasks, const fs::path& root) {
  const std::string own = own_group("");
  std::error_code ignored;
  if (own.empty() || !fs::exists(root / "cgroup.controllers", ignored)) return {};
  for (fs::path at = own;; at = at.parent_path()) {
    const fs::path parent = root / at.relative_path();
    if (has_word(parent / "cgroup.subtree_control", "memory")) {
      const fs::path group = new_group(parent);
      if (!group.empty()) {
        // All of it goes at once; half a program has no result.
        set(group / "memory.oom.group", "1");
        set(group / "memory.swap.max", "0");
        if (tasks > 0) set(group / "pids.max", std::to_string(tasks));
        const bool limited =
            memory_bytes <= 0 || set(group / "memory.max", std::to_string(memory_bytes));
        if (limited && is_usable(group)) return {group};
        ::rmdir(group.c_str());
      }
    }
    if (at == at.parent_path()) return {};
  }
}

// A limit of zero is none.
void add_first_version(std::vector<fs::path>& out, const char* controller, const char* file,
                       std::int64_t limit, const fs::path& root) {
  const std::string own = own_group(controller);
  if (own.empty() || limit <= 0) return;
  const fs::path group = new_group(root / controller / fs::path(own).relative_path());
  if (group.empty()) return;
  if (set(group / file, std::to_string(limit)) && is_usable(group)) {
    out.push_back(group);
  } else {
    ::rmdir(group.c_str());
  }
}

}  // namespace

std::unique_ptr<ControlGroup> ControlGroup::make(std::int64_t memory_bytes, int tasks,
                                                 const fs::path& root) {
  std::vector<fs::path> folders = second_version(memory_bytes, tasks, root);
  if (folders.empty()) {
    add_first_version(folders, "memory", "memory.limit_in_bytes", memory_bytes, root);
    add_first_version(folders, "pids", "pids.max", tasks, root);
  }
  if (folders.empty()) return nullptr;
  return std::unique_ptr<ControlGroup>(new ControlGroup(std::move(folders)));
}

ControlGroup::~ControlGroup() {
  for (const fs::path& folder : folders_) {
    std::error_code ignored;
    if (fs::exists(folder / "cgroup.kill", ignored)) set(folder / "cgroup.kill", "1");
    // The dead leave it a moment later.
    for (int i = 0; i < 200 && ::rmdir(folder.c_str()) != 0 && errno == EBUSY; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::vector<fs::path> ControlGroup::members() const {
  std::vector<fs::path> out;
  for (const fs::path& folder : folders_) out.push_back(folder / "cgroup.procs");
  return out;
}

bool ControlGroup::ran_out_of_memory() const {
  return std::any_of(folders_.begin(), folders_.end(), [](const fs::path& folder) {
    return number_in(folder / "memory.events", "oom_kill") > 0 ||
           number_in(folder / "memory.oom_control", "oom_kill") > 0;
  });
}

bool ControlGroup::ran_out_of_tasks() const {
  return std::any_of(folders_.begin(), folders_.end(), [](const fs::path& folder) {
    return number_in(folder / "pids.events", "max") > 0;
  });
}

}  // namespace cupel
