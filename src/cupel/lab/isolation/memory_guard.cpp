#include "cupel/lab/isolation/memory_guard.h"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>

#include "cupel/base/error.h"
#include "cupel/lab/isolation/process_tree.h"

namespace cupel {
namespace {

// What a process may hold without RLIMIT_DATA's counting it: its stack, and pages of libraries that
// it writes to. An allocation is refused before the process is ended for it.
constexpr std::int64_t kBesideData = std::int64_t{8} << 20;

// What RLIMIT_DATA counts, in bytes; 0 if it is gone.
std::int64_t data_bytes(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmData:")) return std::stoll(line.substr(7)) * 1024;
  return 0;
}

void limit_data(pid_t process, std::int64_t bytes) {
  rlimit now{};
  if (::prlimit(process, RLIMIT_DATA, nullptr, &now) != 0) return;
  const auto most = static_cast<rlim_t>(data_bytes(process) + bytes);
  now.rlim_max = std::min(now.rlim_max, most);
  now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
  ::prlimit(process, RLIMIT_DATA, &now, nullptr);
}

bool enters(pid_t process, const ControlGroup& group) {
  const auto members = group.members();
  return std::all_of(members.begin(), members.end(), [&](const std::filesystem::path& file) {
    std::ofstream out(file);
    out << process << std::flush;
    return out.good();
  });
}

}  // namespace

MemoryGuard::MemoryGuard(pid_t process, std::int64_t bytes, bool grouped)
    : process_(process), born_(residence(process)), bytes_(bytes) {
  limit_data(process, bytes);
  if (!grouped) return;
  // Pages that it was born with become its own once it writes to them.
  group_ = ControlGroup::make(bytes + born_.all, 0);
  if (group_ && !enters(process, *group_)) group_.reset();
}

bool MemoryGuard::exceeded(std::int64_t shared) const {
  if (ran_out()) return true;
  // A group counts what the process was born with once it writes to it, and so has room for it all,
  // which other pages may take.
  const std::int64_t most = bytes_ + kBesideData + shared;
  return least_use(most, [&] { return own_use(process_, born_, most); }) > most;
}

void MemoryGuard::kill_all() const {
  // Those that left its group of processes are found from above, before their parents are gone.
  for (const pid_t pid : descendants(process_)) ::kill(pid, SIGKILL);
  ::kill(-process_, SIGKILL);  // it may not lead a group yet
  ::kill(process_, SIGKILL);
}

}  // namespace cupel
