#include "cupel/lab/isolation/process_tree.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "cupel/base/error.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

using File = std::pair<dev_t, ino_t>;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    out.push_back(entry->path().filename());
  return out;
}

std::vector<std::string> tasks_of(pid_t pid) { return names_in(fmt::format("/proc/{}/task", pid)); }

std::int64_t resident_bytes(const std::string& task) {
  std::int64_t size = 0, resident = 0;
  std::ifstream(task + "/statm") >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

// Where the kernel tells of a process: under a thread that lives. The first one may have ended, and
// has no memory and no files then.
std::string living_task(pid_t pid, const std::vector<std::string>& tasks) {
  for (const std::string& task : tasks) {
    std::string path = fmt::format("/proc/{}/task/{}", pid, task);
    if (resident_bytes(path) > 0) return path;
  }
  return fmt::format("/proc/{}", pid);
}

// Files in memory that processes hold.
struct MemoryFiles {
  std::set<dev_t> mounts;  // whole, by what is used of them
  std::set<File> files;
  std::int64_t bytes = 0;

  bool has(const File& file) const { return mounts.contains(file.first) || files.contains(file); }
};

void add_folders(MemoryFiles& out, const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    struct statfs use {};
    struct stat info {};
    if (::statfs(folder.c_str(), &use) != 0 || ::stat(folder.c_str(), &info) != 0) continue;
    if (use.f_type != TMPFS_MAGIC || !out.mounts.insert(info.st_dev).second) continue;
    out.bytes += static_cast<std::int64_t>(use.f_blocks - use.f_bfree) * use.f_bsize;
  }
}

// Files without a name, and those of the machine's shared memory, that a process has open.
void add_open_files(MemoryFiles& out, const std::string& task) {
  for (const std::string& name : names_in(task + "/fd")) {
    const std::string path = task + "/fd/" + name;
    struct stat info {};
    struct statfs system {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    const File file{info.st_dev, info.st_ino};
    if (out.has(file)) continue;
    std::error_code ignored;
    const bool shared = fs::read_symlink(path, ignored).string().starts_with("/dev/shm/");
    if (info.st_nlink > 0 && !shared) continue;
    if (::statfs(path.c_str(), &system) != 0 || system.f_type != TMPFS_MAGIC) continue;
    out.files.insert(file);
    out.bytes += std::int64_t{info.st_blocks} * 512;
  }
}

// A process's own account of its memory, in bytes.
struct Account {
  bool readable = false;
  std::int64_t anonymous = 0;  // whole pages in no file
  std::int64_t part = 0;       // its part of them, where others have them too
  std::int64_t alone = 0;      // what it has written to and nobody else has
  std::int64_t in_memory = 0;  // its part of files in memory, and of what was swapped out
};

Account account_of(const std::string& task) {
  Account out;
  std::ifstream in(task + "/smaps_rollup");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    std::int64_t kilobytes = 0;
    if (!(words >> name >> kilobytes)) continue;
    const std::int64_t bytes = kilobytes * 1024;
    if (name == "Anonymous:") out.anonymous = bytes, out.readable = true;
    if (name == "Pss_Anon:") out.part = bytes;
    if (name == "Private_Dirty:") out.alone = bytes;
    if (name == "Pss_Shmem:" || name == "SwapPss:") out.in_memory += bytes;
  }
  return out;
}

// This process's share of the files in `files`, which are counted already.
std::int64_t mapped_bytes(const std::string& task, const MemoryFiles& files) {
  std::ifstream in(task + "/smaps");
  std::int64_t out = 0;
  bool counts = false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, text;
    words >> first;
    if (first == "Pss:") {
      std::int64_t kilobytes = 0;
      words >> kilobytes;
      if (counts) out += kilobytes * 1024;
    } else if (!first.empty() &&
               first.back() != ':') {  // "FROM-TO PERMISSIONS OFFSET MAJOR:MINOR INODE PATH"
      unsigned major = 0, minor = 0;
      ino_t inode = 0;
      char colon = 0;
      words >> text >> text >> std::hex >> major >> colon >> minor >> std::dec >> inode;
      counts = inode != 0 && files.has({makedev(major, minor), inode});
    }
  }
  return out;
}

std::int64_t exact_bytes(const std::vector<std::string>& tasks, const MemoryFiles& files) {
  std::int64_t out = files.bytes;
  for (const std::string& task : tasks) {
    const Account account = account_of(task);
    if (!account.readable) {
      out += resident_bytes(task);
      continue;
    }
    const std::int64_t own = account.part + account.in_memory;
    out += own;
    if (files.bytes > 0) out -= std::min(own, mapped_bytes(task, files));
  }
  return out;
}

}  // namespace

std::vector<pid_t> descendants(pid_t root) {
  std::vector<pid_t> out, open = {root};
  std::set<pid_t> seen = {root};
  while (!open.empty()) {
    const pid_t pid = open.back();
    open.pop_back();
    for (const std::string& task : tasks_of(pid)) {
      std::ifstream in(fmt::format("/proc/{}/task/{}/children", pid, task));
      for (pid_t child = 0; in >> child;) {
        if (!seen.insert(child).second) continue;
        out.push_back(child);
        open.push_back(child);
      }
    }
  }
  return out;
}

int tasks_of_machine() {
  std::ifstream in("/proc/loadavg");  // "0.20 0.18 0.12 1/80 11206"
  std::string word;
  char slash = 0;
  int running = 0, all = 0;
  in >> word >> word >> word >> running >> slash >> all;
  return all;
}

int processes_with_first(pid_t first) {
  const auto names = names_in(fmt::format("/proc/{}/root/proc", first));
  return static_cast<int>(std::count_if(names.begin(), names.end(), [](const std::string& name) {
    return name.front() >= '1' && name.front() <= '9';
  }));
}

namespace {

TreeUse use_of(const std::vector<pid_t>& processes, const std::vector<fs::path>& memory_folders,
               std::int64_t enough) {
  TreeUse out;
  MemoryFiles files;
  add_folders(files, memory_folders);
  std::vector<std::string> living;
  for (const pid_t pid : processes) {
    const std::vector<std::string> tasks = tasks_of(pid);
    out.tasks += static_cast<int>(tasks.size());
    living.push_back(living_task(pid, tasks));
    out.bytes += resident_bytes(living.back());
    add_open_files(files, living.back());
  }
  out.bytes += files.bytes;
  if (out.bytes > enough) out.bytes = exact_bytes(living, files);
  return out;
}

}  // namespace

TreeUse tree_use(pid_t root, const std::vector<fs::path>& memory_folders, std::int64_t enough) {
  return use_of(descendants(root), memory_folders, enough);
}

TreeUse process_use(pid_t first, std::int64_t enough) {
  std::vector<pid_t> all = descendants(first);
  all.push_back(first);
  return use_of(all, {}, enough);
}

Residence residence(pid_t process) {
  const std::string task = living_task(process, tasks_of(process));
  return {account_of(task).anonymous, resident_bytes(task)};
}

std::int64_t own_use(pid_t first, const Residence& born, std::int64_t enough) {
  const std::int64_t sizes =
      process_use(first, std::numeric_limits<std::int64_t>::max()).bytes - born.all;
  if (sizes <= enough) return std::max<std::int64_t>(0, sizes);
  // Closely, but `first` by its whole pages: those that it was born with stay as many when it
  // writes to them. What it has together with its descendants is counted with it.
  std::vector<pid_t> all = descendants(first);
  all.insert(all.begin(), first);
  std::vector<std::string> tasks;
  MemoryFiles files;
  for (const pid_t pid : all) {
    tasks.push_back(living_task(pid, tasks_of(pid)));
    add_open_files(files, tasks.back());
  }
  std::int64_t out = files.bytes - born.anonymous, shared = 0;
  for (const std::string& task : tasks) {
    const Account account = account_of(task);
    if (!account.readable) {
      out += resident_bytes(task);
    } else if (task == tasks.front()) {
      shared = account.anonymous - account.alone;
      out += account.anonymous;
    } else {
      out += std::max(std::min(account.part, account.alone), account.part - shared);
    }
    out += account.in_memory;
    if (files.bytes > 0) out -= std::min(account.in_memory, mapped_bytes(task, files));
  }
  return std::max<std::int64_t>(0, out);
}

}  // namespace cupel
