// Differences of times.
#pragma once

#include <cstdint>

namespace cupel {

// How much time is between, which may be more than an int64 holds. Requires from <= to.
[[nodiscard]] inline std::uint64_t time_between(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

// The same as networks read it, negative where `to` is earlier.
[[nodiscard]] inline float elapsed_between(std::int64_t from, std::int64_t to) {
  return from <= to ? static_cast<float>(time_between(from, to))
                    : -static_cast<float>(time_between(to, from));
}

}  // namespace cupel
