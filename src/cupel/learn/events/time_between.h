// Differences of times.
#pragma once

#include <cstdint>

namespace cupel {

// How much time is between, which may be more than an int64 holds. Requires from <= to.
[[nodiscard]] inline std::uint64_t time_between(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

}  // namespace cupel
