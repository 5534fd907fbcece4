#include "cupel/data/formats/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"

namespace cupel {
namespace {

std::string errno_text() { return std::generic_category().message(errno); }

}  // namespace

InputFile::InputFile(const std::filesystem::path& path)
    : name_(path.string()), descriptor_(open_regular_file(path)) {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    ::close(descriptor_);
    fail("{}: cannot be read ({}); check the disk", name_, errno_text());
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::uint64_t offset, void* out, std::size_t size) const {
  auto* to = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t got =
        ::pread(descriptor_, to, std::min(size, std::size_t{1} << 30), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("{}: cannot be read ({}); check the disk", name_, errno_text());
    if (got == 0) {
      fail("{}: ends after {} bytes where more are needed; the file is cut off, get it again",
           name_, offset);
    }
    to += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

std::string read_text_file(const std::filesystem::path& path) {
  const InputFile file(path);
  std::string text(file.size(), '\0');
  file.read(0, text.data(), text.size());
  return text;
}

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path) {
  if (is_special(path_))
    fail("{}: is a pipe, a device or a socket; give the path of a file", path_.string());
  static std::atomic<unsigned> count = 0;
  temporary_ = path_;
  temporary_ += fmt::format(".tmp-{}-{}", ::getpid(), count++);
  leftover_.emplace(temporary_);  // first: a signal may come as soon as the file is there
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail_with_errno("cannot be created");
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void OutputFile::write(const void* data, std::size_t size) {
  const auto* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = ::write(descriptor_, from, std::min(size, std::size_t{1} << 30));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_with_errno("cannot be written");
    from += put;
    written_ += static_cast<std::uint64_t>(put);
    size -= static_cast<std::size_t>(put);
  }
}

void OutputFile::commit() {
  if (::fsync(descriptor_) != 0) fail_with_errno("cannot be written");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail_with_errno("cannot be replaced");
  ::close(descriptor_);
  descriptor_ = -1;
  leftover_.reset();
}

void OutputFile::fail_with_errno(const char* what) const {
  fail("{}: {} ({}); check that its folder exists, may be written and has space", path_.string(),
       what, errno_text());
}

}  // namespace cupel
