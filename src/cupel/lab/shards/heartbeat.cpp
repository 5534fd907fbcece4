#include "cupel/lab/shards/heartbeat.h"

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>

#include "cupel/data/formats/file.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kBeat{30};
constexpr std::chrono::minutes kLost{3};  // what file systems of networks keep back is a minute

std::string this_machine() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

// Where the number of a process means the same process: until the machine starts anew, within one
// namespace of processes. Empty if the system does not say.
std::string processes_here() {
  std::error_code error;
  const fs::path space = fs::read_symlink("/proc/self/ns/pid", error);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return error || boot.empty() ? "" : boot + " " + space.string();
}

bool lives(pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

}  // namespace

Heartbeat::Heartbeat(fs::path path) : path_(std::move(path)) {
  leftover_.emplace(path_);
  const std::string text = fmt::format("{} {} {}\n", this_machine(), ::getpid(), processes_here());
  OutputFile file(path_);
  file.write(text.data(), text.size());
  file.commit();
  beating_ = std::jthread([this](const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!woken_.wait_for(lock, stop, kBeat, [&stop] { return stop.stop_requested(); })) {
      std::error_code ignored;  // the next one may go well
      fs::last_write_time(path_, fs::file_time_type::clock::now(), ignored);
    }
  });
}

Heartbeat::~Heartbeat() {
  beating_ = {};
  std::error_code ignored;
  fs::remove(path_, ignored);
}

std::optional<std::string> living_machine(const fs::path& path) {
  std::error_code error;
  const auto touched = fs::last_write_time(path, error);
  if (error || fs::file_time_type::clock::now() - touched > kLost) return std::nullopt;
  std::ifstream file(path);
  std::string machine, processes;
  pid_t process = 0;
  if (!(file >> machine >> process) || process <= 0) return std::nullopt;
  std::getline(file >> std::ws, processes);
  // Containers of one machine do not see each other's processes.
  if (!processes.empty() && processes == processes_here() && !lives(process)) return std::nullopt;
  return machine;
}

}  // namespace cupel
