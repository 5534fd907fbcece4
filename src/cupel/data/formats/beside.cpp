#include "cupel/data/formats/beside.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/base/folder_lock.h"
#include "cupel/base/paths.h"
#include "cupel/base/regular_file.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".cupel-";
constexpr std::size_t kDigits = 16;
constexpr const char* kLock = ".cupel-lock";  // which no target is called

// What replace() calls an old folder is longer, and stays.
bool is_ours(const std::string& name) {
  return name.starts_with(kPrefix) && name.size() == kPrefix.size() + kDigits &&
         name.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string::npos;
}

// Of programs that were killed.
void sweep(const fs::path& parent) {
  sweep_folders(parent, is_ours, kLock, WithoutLock::kLeave, [&](int, const std::string& name) {
    std::error_code ignored;
    fs::remove_all(parent / name, ignored);
  });
}

// Nobody else's: a signal removes what has this name from the moment it is known.
fs::path name_beside(const fs::path& target) {
  if (is_special(target))
    fail("{}: is a pipe, a device or a socket; give the path of a file", target.string());
  const fs::path parent = target.parent_path().empty() ? "." : target.parent_path();
  sweep(parent);
  std::random_device random;
  return parent / fmt::format("{}{:08x}{:08x}", kPrefix, random(), random());
}

}  // namespace

Beside::Beside(const fs::path& target)
    : target_(target), folder_(name_beside(target)), leftover_(folder_) {
  if (::mkdir(folder_.c_str(), 0700) != 0)
    fail("{}: cannot be written ({}); give a path in a folder that you may write to",
         target.string(), std::generic_category().message(errno));
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  lock_ = lock_folder(folder, kLock);
  ::close(folder);
}

Beside::~Beside() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

fs::path new_folder(const fs::path& folder) {
  const fs::path target = plain_path(folder);
  std::error_code ignored;
  if (fs::is_directory(target, ignored) ? !fs::is_empty(target, ignored) : is_there(target))
    fail("{}: holds something already; remove it, or give another folder", target.string());
  return target;
}

void Beside::make(const std::function<void(const fs::path&)>& make) const {
  try {
    make(path());
  } catch (const Error& error) {
    const std::string hidden = path().string(), known = target_.string();
    std::string said = error.what();
    for (std::size_t at = said.find(hidden); at != std::string::npos;
         at = said.find(hidden, at + known.size()))
      said.replace(at, hidden.size(), known);
    throw Error(said);
  }
}

void Beside::move() const {
  std::error_code problem;
  fs::rename(path(), target_, problem);
  if (problem) fail("{}: cannot be written ({})", target_.string(), problem.message());
}

void Beside::replace() const {
  if (::renameat2(AT_FDCWD, path().c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0)
    return;
  // Not in folder_, which a signal removes: one of the two has to stay.
  const fs::path old = folder_.string() + "-old";
  std::error_code problem;
  fs::rename(target_, old, problem);
  if (problem) fail("{}: cannot be replaced ({})", target_.string(), problem.message());
  try {
    move();
  } catch (const Error&) {
    fs::rename(old, target_, problem);
    throw;
  }
  fs::remove_all(old, problem);
}

NeededFolder::NeededFolder(const fs::path& folder) {
  std::error_code error;
  const fs::path wanted = folder.has_filename() ? folder : folder.parent_path();
  for (fs::path above = wanted; !above.empty() && !fs::exists(above, error);
       above = above.parent_path()) {
    if (innermost_.empty()) innermost_ = above;
    outermost_ = above;
  }
  fs::create_directories(wanted, error);
  if (!error && fs::is_directory(wanted, error)) return;
  const std::string reason = error ? error.message() : std::generic_category().message(ENOTDIR);
  remove_empty();
  fail("folder {} cannot be made: {}; give a path in a folder that you may write to",
       folder.string(), reason);
}

NeededFolder::~NeededFolder() { remove_empty(); }

// fs::remove does not remove what holds something.
void NeededFolder::remove_empty() const {
  std::error_code error;
  for (fs::path made = innermost_; !made.empty(); made = made.parent_path()) {
    if (!fs::remove(made, error) || made == outermost_) return;
  }
}

}  // namespace cupel
