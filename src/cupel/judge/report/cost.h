// What the runs of a cell took.
#pragma once

#include <cstdint>
#include <optional>

#include "cupel/lab/results/results.h"

namespace cupel::report {

struct Cost {
  std::optional<double> seconds_per_run;     // mean over runs with a score whose time is known
  double seconds = 0;                        // of all runs, those without a score among them
  std::optional<std::int64_t> memory_bytes;  // the most that one of them took; absent: not known
};
[[nodiscard]] Cost cost_of(const CellResults& cell);

}  // namespace cupel::report
