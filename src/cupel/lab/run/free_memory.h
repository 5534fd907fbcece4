// What the machine has left.
#pragma once

#include <cstddef>

namespace cupel {

// What a process may still take, by the kernel's account (and the control group's, if there is
// one).
[[nodiscard]] std::size_t free_memory();

// What all runs together may take: what is wanted, and without a wish (0) four fifths of what is
// free.
[[nodiscard]] std::size_t memory_for_runs(std::size_t wanted);

}  // namespace cupel
