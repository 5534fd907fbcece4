#include "cupel/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cupel/base/error.h"
#include "cupel/base/visible.h"

namespace cupel::cli {
namespace {

// The reason of the last failed system call.
std::string reason() { return std::strerror(errno); }

// Writes all of it or returns false with errno set.
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

}  // namespace

void print_out(std::string_view text) {
  if (!write_all(STDOUT_FILENO, visible(text)))
    fail("standard output cannot be written: {}", reason());
}

void print_error(std::string_view sentence) {
  write_all(STDERR_FILENO, fmt::format("cupel: {}\n", visible(sentence)));
}

void print_note(std::string_view sentence) { print_error(sentence); }

}  // namespace cupel::cli
