// What the machine has left.
#pragma once

#include <cstddef>
#include <filesystem>

namespace cupel {

// What a process may still take, by the kernel's account and, if there is one, by the control
// group's (of either version), in bytes. Files that the kernel keeps in memory until it is wanted
// are free. The accounts lie below `root`. 2 GiB where there is none.
[[nodiscard]] std::size_t free_memory(const std::filesystem::path& root = "/");

// What all runs together may take: what is wanted, and without a wish (0) four fifths of what is
// free.
[[nodiscard]] std::size_t memory_for_runs(std::size_t wanted);

}  // namespace cupel
