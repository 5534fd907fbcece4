// What the machine has left.
#pragma once

#include <cstddef>

namespace cupel {

// What a process may still take, by the kernel's account (and the control group's, if there is
// one).
[[nodiscard]] std::size_t free_memory();

}  // namespace cupel
