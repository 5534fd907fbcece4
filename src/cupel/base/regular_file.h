// Opening what is to be read, so that nothing hangs on it or is endless.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace cupel {

// A descriptor of the regular file at `path` (links are followed), for reading; the caller closes
// it. Throws Error if there is no such file, if it may not be read, and for whatever else a path
// may lead to: a folder, a pipe, a device, a socket. Opening never waits.
[[nodiscard]] int open_regular_file(const std::filesystem::path& path);

// The whole of a file that people write by hand or scripts for them: a protocol, a table, a list.
// Throws Error as open_regular_file does, if the file has more than `most` bytes, or if reading
// fails. What grows while it is read is read up to the size that it had.
[[nodiscard]] std::string read_small_file(const std::filesystem::path& path,
                                          std::uint64_t most = std::uint64_t{64} << 20);

// Whether there is something at `path` that is neither a regular file nor a folder, links followed.
// A file that is written as a whole must not take its place. Never throws.
[[nodiscard]] bool is_special(const std::filesystem::path& path);

// Whether there is a regular file that begins with `start`. Never throws, never waits.
[[nodiscard]] bool file_starts_with(const std::filesystem::path& path, std::string_view start);

}  // namespace cupel
