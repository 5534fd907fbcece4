// Printing: the only place of the program that does.
//
// Names come from files that others made. Whatever is printed goes through visible() (base), so
// that none of it can steer the terminal it is shown on; --json has passed json_text() before,
// which leaves nothing to write out.
#pragma once

#include <string>
#include <string_view>

#include "cupel/base/write_file.h"

namespace cupel::cli {

// Nobody reads what is printed any more: the reader of a pipe has gone, as `head` does. Ends the
// program as SIGPIPE would, but first closes stores, which would else be left as their logs alone.
// No std::exception, so that nothing takes it for an error but run_program().
struct ClosedPipe {};

// All of these throw ClosedPipe.

// Results, on standard output. Throws Error if they cannot be written (disk full, ...).
void print_out(std::string_view text);

// "cupel: <sentence>" on standard error.
void print_error(std::string_view sentence);
// The same for what is no error: where things are, how to go on.
void print_note(std::string_view sentence);

}  // namespace cupel::cli
