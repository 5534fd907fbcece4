#include "cupel/lab/isolation/task_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cupel/base/error.h"
#include "cupel/lab/isolation/descriptor.h"
#include "cupel/lab/isolation/remove_tree.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

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

}  // namespace

TaskFolder::TaskFolder() : home_("cupel-task-", LockedFolder::OnSignal::kLeave) {}

TaskFolder::~TaskFolder() {
  if (run_ >= 0) ::close(run_);
}

void TaskFolder::renew() {
  if (run_ >= 0) ::close(run_);
  run_ = -1;
  if (!remove_tree(home_.descriptor(), "run")) fail_at(run(), "cannot be emptied");
  if (::mkdirat(home_.descriptor(), "run", 0700) != 0) fail_at(run(), "cannot be made");
  run_ = ::openat(home_.descriptor(), "run", kFolder);
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
  write_all(out.get(), text.data(), text.size(), run() / name);
}

void TaskFolder::copy_in(const char* name) {
  const Descriptor in(::openat(home_.descriptor(), name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (in.get() < 0) fail_at(path() / name, "cannot be read");
  const Descriptor out(new_file(run_, name, run() / name));
  std::string block(std::size_t{1} << 20, '\0');
  for (;;) {
    const ssize_t got = ::read(in.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_at(path() / name, "cannot be read");
    if (got == 0) return;
    write_all(out.get(), block.data(), static_cast<std::size_t>(got), run() / name);
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
  ::unlinkat(home_.descriptor(), name, 0);
}

std::optional<std::string> TaskFolder::read(const char* name, std::int64_t most) const {
  // Not blocking: a pipe with nobody at its other end would.
  const Descriptor in(::openat(run_, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (in.get() < 0 && errno == ENOENT) return {};
  struct stat info {};
  if (in.get() < 0 || ::fstat(in.get(), &info) != 0 || !S_ISREG(info.st_mode))
    fail("{}: is not a file that can be read; write the array itself there, and no link", name);
  if (info.st_size > most)
    fail("{}: has {} bytes, and the array asked for has at most {}", name,
         std::int64_t{info.st_size}, most);
  std::string out(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t at = 0;
  while (at < out.size()) {
    const ssize_t got = ::read(in.get(), out.data() + at, out.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("{}: cannot be read to its end", name);
    at += static_cast<std::size_t>(got);
  }
  return out;
}

std::int64_t TaskFolder::size(std::int64_t most) const { return tree_size(run_, most); }

}  // namespace cupel
