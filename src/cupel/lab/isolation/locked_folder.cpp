#include "cupel/lab/isolation/locked_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/folder_lock.h"
#include "cupel/lab/isolation/descriptor.h"
#include "cupel/lab/isolation/remove_tree.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr const char* kLock = "lock";

[[noreturn]] void fail_to_make(const fs::path& path) {
  fail(
      "{}: no folder for temporary files can be made: {}; set TMPDIR to a folder that you may "
      "write to",
      path.string(), std::strerror(errno));
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
  if (folder_ >= 0) lock_ = lock_folder(folder_, kLock);
  if (lock_ < 0) {
    const int code = errno;
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
  sweep_folders(
      parent, [&](const std::string& name) { return name.starts_with(prefix); }, kLock,
      WithoutLock::kRemoveAfterADay,
      [](int in, const std::string& name) { remove_tree(in, name.c_str()); });
}

}  // namespace cupel
