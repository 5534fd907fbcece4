#include "cupel/lab/isolation/locked_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/lab/isolation/descriptor.h"
#include "cupel/lab/isolation/remove_tree.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// A folder without a lock is either about to get one or from before there were locks.
constexpr std::time_t kUnlockedSeconds = 86'400;

[[noreturn]] void fail_to_make(const fs::path& path) {
  fail(
      "{}: no folder for temporary files can be made: {}; set TMPDIR to a folder that you may "
      "write to",
      path.string(), std::strerror(errno));
}

// Whether its maker is dead, as far as can be told without harm to a living one.
bool is_dead(int folder, const struct stat& info) {
  const Descriptor lock(::openat(folder, "lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (lock.get() < 0)
    return errno == ENOENT && info.st_mtime < std::time(nullptr) - kUnlockedSeconds;
  return ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

void sweep_once(const fs::path& parent, const char* prefix) {
  static std::mutex mutex;
  static std::set<std::pair<fs::path, std::string>> swept;
  const std::lock_guard lock(mutex);
  if (swept.emplace(parent, prefix).second) sweep_locked_folders(parent, prefix);
}

}  // namespace

LockedFolder::LockedFolder(const char* prefix, OnSignal on_signal) {
  std::error_code error;
  const char* const given = std::getenv("TMPDIR");
  const bool empty = given != nullptr && *given == '\0';
  fs::path parent = empty ? "/tmp" : fs::temp_directory_path(error);
  if (!error) parent = fs::absolute(parent, error);
  if (error) {
    fail("there is no folder for temporary files{}: {}; set TMPDIR to one that you may write to",
         given == nullptr ? "" : fmt::format(" '{}'", given), error.message());
  }
  sweep_once(parent, prefix);
  std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) fail_to_make(name);
  path_ = name;
  if (on_signal == OnSignal::kRemove) leftover_.emplace(path_);
  folder_ = ::open(name.c_str(), kFolder);
  // Under its name once it is locked, so that no sweeper finds it free.
  if (folder_ >= 0) lock_ = ::openat(folder_, "new", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (lock_ < 0 || ::flock(lock_, LOCK_EX | LOCK_NB) != 0 ||
      ::renameat(folder_, "new", folder_, "lock") != 0) {
    const int code = errno;
    ::close(lock_);
    ::close(folder_);
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    errno = code;
    fail_to_make(path_);
  }
}

LockedFolder::~LockedFolder() {
  ::close(folder_);
  const Descriptor parent(::open(path_.parent_path().c_str(), kFolder & ~O_NOFOLLOW));
  if (parent.get() >= 0) remove_tree(parent.get(), path_.filename().c_str());
  ::close(lock_);
}

void sweep_locked_folders(const fs::path& parent, const char* prefix) {
  const Descriptor in(::open(parent.c_str(), kFolder & ~O_NOFOLLOW));
  if (in.get() < 0) return;
  std::error_code ignored;
  for (fs::directory_iterator entry(parent, ignored), end; entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename();
    if (!name.starts_with(prefix)) continue;
    const Descriptor folder(::openat(in.get(), name.c_str(), kFolder));
    struct stat info {};
    if (folder.get() < 0 || ::fstat(folder.get(), &info) != 0 || info.st_uid != ::geteuid())
      continue;
    if (is_dead(folder.get(), info)) remove_tree(in.get(), name.c_str());
  }
}

}  // namespace cupel
