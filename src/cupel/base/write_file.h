// Writing a file as a whole, as whoever asked for a result wants it.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace cupel {

// Writes a whole file: a temporary one beside it, then a rename, so that whoever looks sees the old
// file or the whole new one. A file that takes the place of another has its mode. A database
// (SQLite) is not written over: a store may be months of work, and nothing that is written as a
// whole is one. Throws Error naming the path and the reason.
void write_file(const std::filesystem::path& path, std::string_view content);
// The same of parts that stand one after another.
void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts);

// The same by a temporary file of this name in the folder. A kill leaves it, so it is for a caller
// that writes the path again or calls remove() on both. Two writers at a time would mix.
void write_file(const std::filesystem::path& path, const std::filesystem::path& temporary,
                std::span<const std::string_view> parts);

// Writes all of it to an open file; false, with errno set, if that cannot be done.
[[nodiscard]] bool write_all(int file, std::string_view text);

// Checks before long work that write_file() is likely to succeed. Throws Error as it would.
void check_writable(const std::filesystem::path& path);

}  // namespace cupel
