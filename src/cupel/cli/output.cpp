#include "cupel/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cupel/base/error.h"
#include "cupel/base/visible.h"
#include "cupel/base/write_file.h"

namespace cupel::cli {
void print_out(std::string_view text) {
  if (!write_all(STDOUT_FILENO, visible(text)))
    fail("standard output cannot be written: {}", std::strerror(errno));
}

void print_error(std::string_view sentence) {
  // There is nowhere left to tell that it failed.
  (void)write_all(STDERR_FILENO, fmt::format("cupel: {}\n", visible(sentence)));
}

void print_note(std::string_view sentence) { print_error(sentence); }

}  // namespace cupel::cli
