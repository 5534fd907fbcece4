#include "cupel/base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr std::time_t kDay = 86'400;

// Whether its maker is dead, as far as can be told without harm to a living one.
bool is_dead(int folder, const struct stat& info, const char* lock, WithoutLock without) {
  // To be written to, without which network file systems give no such lock.
  const int file = ::openat(folder, lock, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return errno == ENOENT && without == WithoutLock::kRemoveAfterADay &&
           info.st_mtime < std::time(nullptr) - kDay;
  const bool free = ::flock(file, LOCK_EX | LOCK_NB) == 0;
  ::close(file);
  return free;
}

}  // namespace

int lock_folder(int folder, const char* lock) {
  // Under its name once it is locked, so that no sweeper finds it free.
  const std::string fresh = std::string(lock) + "-new";
  const int file = ::openat(folder, fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 && ::renameat(folder, fresh.c_str(), folder, lock) == 0)
    return file;
  const int code = errno;
  ::close(file);
  ::unlinkat(folder, fresh.c_str(), 0);
  errno = code;
  return -1;
}

void sweep_folders(const fs::path& parent, const std::function<bool(const std::string&)>& ours,
                   const char* lock, WithoutLock without,
                   const std::function<void(int, const std::string&)>& remove) {
  const int in = ::open(parent.c_str(), kFolder);
  if (in < 0) return;
  std::error_code ignored;
  for (fs::directory_iterator entry(parent, ignored), end; entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename();
    if (!ours(name)) continue;
    const int folder = ::openat(in, name.c_str(), kFolder | O_NOFOLLOW);
    if (folder < 0) continue;
    struct stat info {};
    const bool dead = ::fstat(folder, &info) == 0 && info.st_uid == ::geteuid() &&
                      is_dead(folder, info, lock, without);
    ::close(folder);
    if (dead) remove(in, name);
  }
  ::close(in);
}

}  // namespace cupel
