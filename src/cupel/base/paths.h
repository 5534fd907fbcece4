// Asking the file system, with its refusals as errors that name the path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

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

// Whether both lead to one place, links followed; to one that is not there yet, by the path.
[[nodiscard]] bool same_place(const std::filesystem::path& a, const std::filesystem::path& b);

// Before `out` is written: throws Error, in the name of a command, if it is one of `inputs`. An
// input that is no path, as a name of the catalog, is none.
void check_not_input(const std::string& command, const std::filesystem::path& out,
                     const std::vector<std::filesystem::path>& inputs);

// "set/" as "set": a folder's path without a '/' at its end.
[[nodiscard]] std::filesystem::path plain_path(const std::filesystem::path& path);

}  // namespace cupel
