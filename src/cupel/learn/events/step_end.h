// Where a step of time ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "cupel/base/matrix.h"

namespace cupel {

// The end of the facts of one time that begin at `begin`, which is below their number. Times
// ascend. Logarithmic.
[[nodiscard]] inline Offset end_of_step(std::span<const std::int64_t> time, Offset begin) {
  const auto at = time.begin() + begin;
  return std::upper_bound(at, time.end(), *at) - time.begin();
}

}  // namespace cupel
