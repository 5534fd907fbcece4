// Printing and writing: the only place of the program that does.
//
// Names come from files that others made. Whatever is printed goes through visible() (base), so
// that none of it can steer the terminal it is shown on; --json has passed json_text() before,
// which leaves nothing to write out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cupel::cli {

// Results, on standard output. Throws Error if they cannot be written (disk full, ...).
void print_out(std::string_view text);

// "cupel: <sentence>" on standard error.
void print_error(std::string_view sentence);
// The same for what is no error: where things are, how to go on.
void print_note(std::string_view sentence);

// Writes a whole file: a temporary one beside it, then a rename, so that whoever looks sees the old
// file or the whole new one. Throws Error naming the path and the reason.
void write_file(const std::filesystem::path& path, std::string_view content);

// Checks before long work that write_file() is likely to succeed. Throws Error as it would.
void check_writable(const std::filesystem::path& path);

}  // namespace cupel::cli
