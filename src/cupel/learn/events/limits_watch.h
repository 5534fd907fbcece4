// Limits of walks whose steps are too short to ask at each of them.
#pragma once

#include "cupel/base/limits.h"
#include "cupel/base/matrix.h"

namespace cupel {

// Asks the limits at once, and then now and then, by how much was done. They must outlive it. Both
// functions throw Interrupted or TimedOut. Not thread-safe.
class LimitsWatch {
 public:
  explicit LimitsWatch(const RunLimits& limits) : limits_(limits) { limits_.check(); }
  void walked(Offset steps) {
    done_ += steps;
    if (done_ < kStepsBetweenChecks) return;
    limits_.check();
    done_ = 0;
  }

 private:
  static constexpr Offset kStepsBetweenChecks = 1 << 16;

  const RunLimits& limits_;
  Offset done_ = 0;
};

}  // namespace cupel
