#include "cupel/lab/isolation/task_folder.h"

#include <dirent.h>
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

#include "cupel/base/error.h"
#include "cupel/lab/isolation/remove_tree.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "cupel-task-";
constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// A folder without a lock is either about to get one or from before there were locks.
constexpr std::time_t kUnlockedSeconds = 86'400;

// Closes on the way out.
struct Descriptor {
  int fd;
  explicit Descriptor(int fd) : fd(fd) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

[[noreturn]] void fail_at(const fs::path& path, const char* what) {
  const int code = errno;
  fail("{}: {}: {}; set TMPDIR to a folder that you may write to", path.string(), what,
       std::strerror(code));
}

void write_all(int fd, const char* data, std::size_t size, const fs::path& path) {
  while (size > 0) {
    const ssize_t done = ::write(fd, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail_at(path, "cannot be written");
    data += done;
    size -= static_cast<std::size_t>(done);
  }
}

int new_file(int folder, const char* name, const fs::path& path) {
  const int out =
      ::openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (out < 0) fail_at(path, "cannot be made");
  return out;
}

// Whether its maker is dead, as far as can be told without harm to a living one.
bool is_dead(int folder, const struct stat& info) {
  const Descriptor lock(::openat(folder, "lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (lock.fd < 0) return errno == ENOENT && info.st_mtime < std::time(nullptr) - kUnlockedSeconds;
  return ::flock(lock.fd, LOCK_EX | LOCK_NB) == 0;
}

void sweep_once(const fs::path& parent) {
  static std::mutex mutex;
  static std::set<fs::path> swept;
  const std::lock_guard lock(mutex);
  if (swept.insert(parent).second) sweep_task_folders(parent);
}

}  // namespace

TaskFolder::TaskFolder() {
  std::error_code error;
  const fs::path parent = fs::absolute(fs::temp_directory_path(error), error);
  if (error) {
    const char* const given = std::getenv("TMPDIR");
    fail("there is no folder for temporary files{}: {}; set TMPDIR to one that you may write to",
         given == nullptr ? "" : fmt::format(" '{}'", given), error.message());
  }
  sweep_once(parent);
  std::string name = (parent / (std::string(kPrefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) fail_at(name, "no task folder can be made");
  path_ = name;
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
    fail_at(path_, "no task folder can be made");
  }
}

TaskFolder::~TaskFolder() {
  if (run_ >= 0) ::close(run_);
  ::close(folder_);
  const Descriptor parent(::open(path_.parent_path().c_str(), kFolder & ~O_NOFOLLOW));
  if (parent.fd >= 0) remove_tree(parent.fd, path_.filename().c_str());
  ::close(lock_);
}

void TaskFolder::renew() {
  if (run_ >= 0) ::close(run_);
  run_ = -1;
  if (!remove_tree(folder_, "run")) fail_at(run(), "cannot be emptied");
  if (::mkdirat(folder_, "run", 0700) != 0) fail_at(run(), "cannot be made");
  run_ = ::openat(folder_, "run", kFolder);
  if (run_ < 0) fail_at(run(), "cannot be opened");
}

void TaskFolder::clear() {
  const int again = ::openat(run_, ".", kFolder);
  DIR* const list = again < 0 ? nullptr : ::fdopendir(again);
  if (list == nullptr) fail_at(run(), "cannot be read");
  bool gone = true;
  while (const dirent* entry = ::readdir(list)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") gone = remove_tree(run_, entry->d_name) && gone;
  }
  ::closedir(list);
  if (!gone) fail_at(run(), "cannot be emptied");
}

void TaskFolder::write(const char* name, const std::string& text) {
  const Descriptor out(new_file(run_, name, run() / name));
  write_all(out.fd, text.data(), text.size(), run() / name);
}

void TaskFolder::copy_in(const char* name) {
  const Descriptor in(::openat(folder_, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (in.fd < 0) fail_at(path_ / name, "cannot be read");
  const Descriptor out(new_file(run_, name, run() / name));
  std::string block(std::size_t{1} << 20, '\0');
  for (;;) {
    const ssize_t got = ::read(in.fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_at(path_ / name, "cannot be read");
    if (got == 0) return;
    write_all(out.fd, block.data(), static_cast<std::size_t>(got), run() / name);
  }
}

void TaskFolder::put(const char* name) {
  if (has(name)) fail("{}: is there before the questions are; leave that name to them", name);
  try {
    copy_in(name);
  } catch (const Error&) {
    fail("{}: cannot be made: {}; leave the folder writable, and that name free", name,
         std::strerror(errno));
  }
}

bool TaskFolder::has(const char* name) const {
  struct stat info {};
  return ::fstatat(run_, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

void TaskFolder::remove(const char* name) {
  ::unlinkat(run_, name, 0);
  ::unlinkat(folder_, name, 0);
}

std::optional<std::string> TaskFolder::read(const char* name, std::int64_t most) const {
  // Not blocking: a pipe with nobody at its other end would.
  const Descriptor in(::openat(run_, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (in.fd < 0 && errno == ENOENT) return {};
  struct stat info {};
  if (in.fd < 0 || ::fstat(in.fd, &info) != 0 || !S_ISREG(info.st_mode))
    fail("{}: is not a file that can be read; write the array itself there, and no link", name);
  if (info.st_size > most)
    fail("{}: has {} bytes, and the array asked for has at most {}", name,
         std::int64_t{info.st_size}, most);
  std::string out(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t at = 0;
  while (at < out.size()) {
    const ssize_t got = ::read(in.fd, out.data() + at, out.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("{}: cannot be read to its end", name);
    at += static_cast<std::size_t>(got);
  }
  return out;
}

std::int64_t TaskFolder::size(std::int64_t most) const { return tree_size(run_, most); }

void sweep_task_folders(const fs::path& parent) {
  const Descriptor in(::open(parent.c_str(), kFolder & ~O_NOFOLLOW));
  if (in.fd < 0) return;
  std::error_code ignored;
  for (fs::directory_iterator entry(parent, ignored), end; entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename();
    if (!name.starts_with(kPrefix)) continue;
    const Descriptor folder(::openat(in.fd, name.c_str(), kFolder));
    struct stat info {};
    if (folder.fd < 0 || ::fstat(folder.fd, &info) != 0 || info.st_uid != ::geteuid()) continue;
    if (is_dead(folder.fd, info)) remove_tree(in.fd, name.c_str());
  }
}

}  // namespace cupel
