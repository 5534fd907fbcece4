// Ranges of models' settings.
#pragma once

#include <cstdint>

#include "cupel/base/error.h"
#include "cupel/base/matrix.h"
#include "cupel/base/options.h"

namespace cupel {

// Inclusive.
struct SettingRange {
  double min, max;
};

// Throws Error if the setting `what` of a model is not from `low` to `high`.
inline void require_range(const char* model, const char* what, double value, double low,
                          double high) {
  if (!(value >= low && value <= high))
    fail("{}: {} is {}; it is from {} to {}", model, what, value, low, high);
}
inline void require_range(const char* model, const char* what, double value, SettingRange range) {
  require_range(model, what, value, range.min, range.max);
}

inline OptionSpec number_option(const char* name, Index fallback, SettingRange range,
                                const char* doc) {
  return {.name = name,
          .fallback = std::int64_t{fallback},
          .doc = doc,
          .min = range.min,
          .max = range.max};
}
inline OptionSpec number_option(const char* name, double fallback, SettingRange range,
                                const char* doc) {
  return {.name = name, .fallback = fallback, .doc = doc, .min = range.min, .max = range.max};
}

}  // namespace cupel
