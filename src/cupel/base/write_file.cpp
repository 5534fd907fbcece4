#include "cupel/base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/base/leftovers.h"
#include "cupel/base/regular_file.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnotherFolder = "give a path in a folder that you may write to";

[[noreturn]] void unwritable(const fs::path& path, const std::string& why, const char* way_out) {
  fail("{}: cannot be written: {}; {}", path.string(), why, way_out);
}

// By the error of a system call.
[[noreturn]] void unwritable(const fs::path& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  unwritable(path, std::generic_category().message(error),
             full ? "free some space, or give another path" : kAnotherFolder);
}

// What every SQLite file begins with.
constexpr std::string_view kDatabase("SQLite format 3\0", 16);

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Opens a new file that may be used as the one that it is to replace; -1 with errno set.
int open_for(const fs::path& path, const fs::path& temporary, int flags) {
  struct stat before = {};
  const bool replaces = ::stat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode);
  const mode_t mode = replaces ? before.st_mode & 0777 : 0666;
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode);
  // A mask may have taken bits away. A file system without modes is as good.
  if (file >= 0 && replaces) (void)::fchmod(file, mode);
  return file;
}

// Closes the file.
void write_by(const fs::path& path, const fs::path& temporary, int file,
              std::span<const std::string_view> parts) {
  const Leftover leftover(temporary);
  const auto write_part = [&](std::string_view part) { return write_all(file, part); };
  const bool written = std::ranges::all_of(parts, write_part) && ::fsync(file) == 0 &&
                       ::rename(temporary.c_str(), path.c_str()) == 0;
  const int error = errno;
  ::close(file);
  if (written) return;
  ::unlink(temporary.c_str());
  unwritable(path, error);
}

}  // namespace

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_file(const fs::path& path, std::string_view content) {
  write_file(path, std::span(&content, 1));
}

void write_file(const fs::path& path, std::span<const std::string_view> parts) {
  check_writable(path);
  for (std::random_device random;;) {
    const fs::path temporary =
        folder_of(path) /
        fmt::format(".{}.{:08x}{:08x}", path.filename().string(), random(), random());
    const int file = open_for(path, temporary, O_EXCL);
    if (file >= 0) return write_by(path, temporary, file, parts);
    if (errno != EEXIST) unwritable(path, errno);
  }
}

void write_file(const fs::path& path, const fs::path& temporary,
                std::span<const std::string_view> parts) {
  check_writable(path);
  const int file = open_for(path, temporary, O_TRUNC | O_NOFOLLOW);
  if (file < 0) unwritable(path, errno);
  write_by(path, temporary, file, parts);
}

void check_writable(const fs::path& path) {
  std::error_code error;
  if (path.empty() || !path.has_filename()) fail("'{}' is not the name of a file", path.string());
  if (fs::is_directory(path, error))
    unwritable(path, "it is a folder", "remove it, or give another path");
  if (is_special(path))
    unwritable(path, "it is a pipe, a device or a socket", "remove it, or give another path");
  if (file_starts_with(path, kDatabase))
    fail(
        "{}: is a database, as stores of results are, and is not written over; give another path, "
        "or remove it first",
        path.string());
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, error))
    unwritable(path, fmt::format("there is no folder {}", folder.string()), kAnotherFolder);
  if (::access(folder.c_str(), W_OK) != 0) unwritable(path, errno);
}

}  // namespace cupel
