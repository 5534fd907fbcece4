// Settings that models of facts over time share, where TemporalNet trains them.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/base/options.h"

namespace cupel {

inline OptionSpec count_option(const char* name, std::int64_t fallback, double min, double max,
                               const char* doc) {
  return {.name = name, .fallback = fallback, .doc = doc, .min = min, .max = max};
}

// A model's own settings, and those of its training behind them.
inline std::vector<OptionSpec> with_training_options(std::vector<OptionSpec> own,
                                                     bool trained_times) {
  own.push_back(count_option("batch", 200, 1, 1e6, "Facts that are scored and learnt together."));
  own.push_back({.name = "dropout",
                 .fallback = 0.1,
                 .doc = "Share of weights of attention that are left out in training.",
                 .min = 0,
                 .max = 0.99});
  own.push_back({.name = "trained_times",
                 .fallback = trained_times,
                 .doc = "Whether the frequencies by which times are encoded are trained."});
  own.push_back({.name = "lr", .fallback = 1e-4, .doc = "Adam's step.", .min = 1e-12, .max = 1e3});
  own.push_back(count_option("epochs", 50, 0, 1e6, "Passes over training at most."));
  own.push_back(
      count_option("patience", 5, 1, 1e6,
                   "Epochs without a better validation score after which training ends."));
  return own;
}

}  // namespace cupel
