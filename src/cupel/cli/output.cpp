#include "cupel/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cupel/base/error.h"
#include "cupel/base/visible.h"
#include "cupel/base/write_file.h"
#include "cupel/cli/terminal.h"

namespace cupel::cli {
namespace {

bool print(int file, const std::string& text) {
  if (write_all(file, text)) return true;
  if (errno == EPIPE && closed_pipes_end()) throw ClosedPipe();
  return false;
}

}  // namespace

void print_out(std::string_view text) {
  if (!print(STDOUT_FILENO, visible(text)))
    fail("standard output cannot be written: {}", std::strerror(errno));
}

void print_error(std::string_view sentence) {
  // There is nowhere left to tell that it failed.
  (void)print(STDERR_FILENO, fmt::format("cupel: {}\n", visible(sentence)));
}

void print_note(std::string_view sentence) { print_error(sentence); }

}  // namespace cupel::cli
