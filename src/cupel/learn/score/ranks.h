// Positives among their candidates, and what rank they have there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/base/options.h"

namespace cupel {

// One positive among its candidates, which do not count itself.
struct Placement {
  std::int64_t above = 0;       // candidates that score higher
  std::int64_t ties = 0;        // that score as much
  std::int64_t candidates = 0;  // all of them
};

struct Ranks {
  std::span<const Placement> positives;
  bool one_pool = false;  // all have the same candidates
};

// Which of the places that a positive shares with its ties it gets.
enum class TieRule : std::uint8_t {
  kMean,        // "mean" of the first and the last: how the evaluator of the Open Graph Benchmark
                // ranks a positive in a list of its own
  kOptimistic,  // the first: a constant score is perfect
  kPessimistic  // the last
};

// The setting "ties" of a metric, and its value.
[[nodiscard]] OptionSpec ties_option();
[[nodiscard]] TieRule tie_rule(const Options& settings);

// 1 + above + what the rule makes of the ties: a half of them, none or all.
[[nodiscard]] double rank_of(const Placement& placement, TieRule rule);

}  // namespace cupel
