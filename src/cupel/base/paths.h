// Asking the file system, with its refusals as errors that name the path.
#pragma once

#include <cstdint>
#include <filesystem>

namespace cupel {

// Whether there is something at `path`, links followed. Throws Error where that cannot be told: a
// folder on the way may not be entered, links go in circles, a name is too long.
[[nodiscard]] bool is_there(const std::filesystem::path& path);

// Bytes of a file. Throws Error if there is none.
[[nodiscard]] std::int64_t size_of_file(const std::filesystem::path& path);

// The current folder. Throws Error if it was removed.
[[nodiscard]] std::filesystem::path current_folder();

// The same place, told from the root on; "" is the current folder. Throws Error as current_folder.
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& path);

// "set/" as "set": a folder's path without a '/' at its end.
[[nodiscard]] std::filesystem::path plain_path(const std::filesystem::path& path);

}  // namespace cupel
