#include "cupel/base/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "cupel/base/error.h"

namespace cupel {
namespace {

std::string reason() { return std::generic_category().message(errno); }

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

// Closes what it was given.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  // As many bytes as there are from here on, up to `size`; -1 with errno set.
  ssize_t read(char* out, std::size_t size) const {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t got = ::read(number_, out + done, std::min(size - done, std::size_t{1} << 30));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return -1;
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return static_cast<ssize_t>(done);
  }
  std::uint64_t size() const {
    struct stat status {};
    return ::fstat(number_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  }

 private:
  int number_;
};

}  // namespace

int open_regular_file(const std::filesystem::path& path) {
  // Non-blocking, so that opening a pipe that nobody writes to does not hang.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) {
    if (errno == ENOENT) fail("{}: there is no such file; check the path", path.string());
    if (errno == ENXIO) fail("{}: is not a regular file but a socket", path.string());
    fail("{}: cannot be opened ({}); check the path and its permissions", path.string(), reason());
  }
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0;
  if (known && S_ISREG(status.st_mode)) return file;
  ::close(file);
  fail("{}: is not a regular file but {}; give the path of a file", path.string(),
       known ? kind_of(status.st_mode) : "unknown");
}

std::string read_small_file(const std::filesystem::path& path, std::uint64_t most) {
  const Descriptor file(open_regular_file(path));
  const std::uint64_t size = file.size();
  if (size > most)
    fail("{}: has {} bytes, and what is read here has {} at most; is it the right file?",
         path.string(), size, most);
  std::string out(size, '\0');
  const ssize_t got = file.read(out.data(), out.size());
  if (got < 0) fail("{}: cannot be read ({}); check the disk", path.string(), reason());
  out.resize(static_cast<std::size_t>(got));
  return out;
}

bool is_special(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool file_starts_with(const std::filesystem::path& path, std::string_view start) {
  try {
    const Descriptor file(open_regular_file(path));
    std::string found(start.size(), '\0');
    return file.read(found.data(), found.size()) == std::ssize(start) && found == start;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace cupel
