#include "cupel/lab/isolation/bubblewrap.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "cupel/base/error.h"
#include "cupel/lab/isolation/environment.h"
#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/warden.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

void add(Arguments& out, std::initializer_list<std::string> more) { out.insert(out.end(), more); }

// The home folder has its place in memory if it is not one of the system's.
std::string home_mount() {
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/' || std::string(home) == "/") return "";
  return home;
}

void add_namespaces(Arguments& out, bool network) {
  add(out, {"--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent",
            "--new-session", "--cap-drop", "ALL"});
  if (network) out.emplace_back("--share-net");
  add(out, {"--json-status-fd", std::to_string(kStatusDescriptor), "--block-fd",
            std::to_string(kGateDescriptor), "--seccomp", std::to_string(kFilterDescriptor)});
}

void add_system(Arguments& out) {
  std::error_code ignored;
  for (const fs::path& folder : system_folders()) {
    if (fs::is_symlink(folder, ignored)) {
      add(out, {"--symlink", fs::read_symlink(folder, ignored).string(), folder.string()});
    } else if (fs::exists(folder, ignored)) {
      add(out, {"--ro-bind", folder.string(), folder.string()});
    }
  }
}

// Accelerators, where there are some.
void add_devices(Arguments& out) {
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator entry("/dev", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.starts_with("nvidia") || name == "kfd") found.push_back(entry->path());
  }
  if (std::count(found.begin(), found.end(), "/dev/kfd")) found.emplace_back("/dev/dri");
  std::sort(found.begin(), found.end());
  for (const std::string& device : found) add(out, {"--dev-bind-try", device, device});
}

// Folders in memory: writable, limited, and gone with the program.
void add_memory(Arguments& out, std::int64_t bytes) {
  const std::string size = std::to_string(std::max<std::int64_t>(bytes, 1 << 20));
  add(out, {"--proc", "/proc", "--dev", "/dev"});
  add_devices(out);
  for (const fs::path& folder : memory_folders())
    add(out, {"--perms", "1777", "--size", size, "--tmpfs", folder.string()});
  add(out, {"--symlink", "/tmp", "/var/tmp"});
}

void add_paths(Arguments& out, const Enclosure& enclosure) {
  for (const fs::path& path : enclosure.paths.readable)
    add(out, {"--ro-bind", path.string(), path.string()});
  std::error_code ignored;
  for (const fs::path& path : enclosure.paths.masked) {
    if (fs::is_directory(path, ignored)) {
      add(out, {"--perms", "0555", "--tmpfs", path.string(), "--remount-ro", path.string()});
    } else {
      add(out, {"--ro-bind", "/dev/null", path.string()});  // devices do not open on it
    }
  }
  // Names are looked up as the machine does, whose file may be a link into a folder not shown.
  const fs::path names = fs::weakly_canonical("/etc/resolv.conf", ignored);
  if (enclosure.network && fs::exists(names, ignored) && !names.string().starts_with("/etc/"))
    add(out, {"--ro-bind", names.string(), names.string()});
}

void add_task(Arguments& out, const Enclosure& enclosure) {
  const fs::path at = kTaskMount;
  add(out, {"--bind", enclosure.task.string(), at.string()});
  for (const fs::path& file : enclosure.given)
    add(out, {"--ro-bind", file.string(), (at / file.filename()).string()});
}

// What was made to mount things on is no place to write. As root it takes no privilege to write to
// the kernel's settings either, so /proc is closed as well.
void close_rest(Arguments& out) {
  for (const char* folder : {"/dev", "/proc", "/"}) add(out, {"--remount-ro", folder});
}

Bubblewrap try_bubblewrap(const fs::path& program) {
  Enclosure enclosure;
  enclosure.folder = "/";
  enclosure.task = "/usr";  // any folder will do
  enclosure.memory_bytes = 1 << 20;
  ProcessRequest request;
  request.keeper = Keeper::kBubblewrap;
  request.command = bubblewrap_command(program, enclosure, {"/bin/sh", "-c", "exit 0"});
  request.environment = program_environment({});
  request.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const ProcessResult result = run_process(request);
  if (result.end == ProcessResult::End::kExit && result.code == 0) return {program, ""};
  const std::string said = result.output.substr(0, result.output.find('\n'));
  return {
      {},
      fmt::format("{} does not work here{}{}", program.string(), said.empty() ? "" : ": ", said)};
}

}  // namespace

Bubblewrap find_bubblewrap() {
  const fs::path program = find_program("bwrap", "/");
  if (program.empty()) return {{}, "bubblewrap is not installed (Debian: apt install bubblewrap)"};
  static std::mutex mutex;
  static std::map<fs::path, Bubblewrap> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(program);
  if (found != known.end()) return found->second;
  return known.emplace(program, try_bubblewrap(program)).first->second;
}

std::vector<std::string> bubblewrap_command(const fs::path& bwrap, const Enclosure& enclosure,
                                            const std::vector<std::string>& command) {
  Arguments out = {bwrap.string()};
  add_namespaces(out, enclosure.network);
  add(out, {"--tmpfs", "/"});
  add_system(out);
  add_memory(out, enclosure.memory_bytes);
  add_paths(out, enclosure);
  add_task(out, enclosure);
  if (enclosure.folder != "/") add(out, {"--dir", enclosure.folder.string()});
  add(out, {"--chdir", enclosure.folder.string()});
  close_rest(out);
  out.emplace_back("--");
  out.insert(out.end(), command.begin(), command.end());
  return out;
}

std::vector<fs::path> memory_folders() {
  std::vector<fs::path> out = {"/tmp", "/dev/shm"};
  if (const std::string home = home_mount(); !home.empty()) out.emplace_back(home);
  return out;
}

}  // namespace cupel
