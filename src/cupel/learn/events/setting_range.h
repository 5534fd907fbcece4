// Ranges of models' settings.
#pragma once

#include "cupel/base/error.h"

namespace cupel {

// Throws Error if the setting `what` of a model is not from `low` to `high`.
inline void require_range(const char* model, const char* what, double value, double low,
                          double high) {
  if (!(value >= low && value <= high))
    fail("{}: {} is {}; it is from {} to {}", model, what, value, low, high);
}

}  // namespace cupel
