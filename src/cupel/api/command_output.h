// What another program says.
#pragma once

#include <string>
#include <vector>

namespace cupel {

// Runs a program of the PATH and returns what it writes to standard output; its standard error is
// ours. Throws Error if it cannot be started, or ends with anything but 0.
[[nodiscard]] std::string output_of(const std::vector<std::string>& command);

}  // namespace cupel
