#include "cupel/base/write_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "cupel/base/error.h"
#include "cupel/base/leftovers.h"
#include "cupel/base/regular_file.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

// The reason of the last failed system call.
std::string reason() { return std::strerror(errno); }

[[noreturn]] void unwritable(const fs::path& path, const std::string& why) {
  fail("{}: cannot be written: {}; give a path in a folder that you may write to", path.string(),
       why);
}

// What every SQLite file begins with.
constexpr std::string_view kDatabase("SQLite format 3\0", 16);

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
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
  std::string temporary = (folder_of(path) / ("." + path.filename().string() + ".XXXXXX")).string();
  const int file = ::mkstemp(temporary.data());
  if (file < 0) unwritable(path, reason());
  const Leftover leftover(temporary);
  const auto give_up = [&] {
    const std::string why = reason();
    ::close(file);
    ::unlink(temporary.c_str());
    unwritable(path, why);
  };
  // mkstemp is stricter than files that a user asks for.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const auto write_part = [&](std::string_view part) { return write_all(file, part); };
  if (!std::ranges::all_of(parts, write_part) || ::fchmod(file, 0666 & ~mask) != 0 ||
      ::fsync(file) != 0)
    give_up();
  if (::rename(temporary.c_str(), path.c_str()) != 0) give_up();
  ::close(file);
}

void check_writable(const fs::path& path) {
  std::error_code error;
  if (path.empty() || !path.has_filename()) fail("'{}' is not the name of a file", path.string());
  if (fs::is_directory(path, error)) unwritable(path, "it is a folder");
  if (is_special(path)) unwritable(path, "it is a pipe, a device or a socket");
  if (file_starts_with(path, kDatabase))
    fail(
        "{}: is a database, as stores of results are, and is not written over; give another path, "
        "or remove it first",
        path.string());
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, error))
    unwritable(path, fmt::format("there is no folder {}", folder.string()));
  if (::access(folder.c_str(), W_OK) != 0) unwritable(path, reason());
}

}  // namespace cupel
