// Positives among their candidates, and what rank they have there.
#pragma once

#include <cstdint>
#include <span>

#include "cupel/base/matrix.h"
#include "cupel/base/options.h"

namespace cupel {

// Positives, one by one: how many of its candidates score higher, as much, and how many there are.
// A positive is none of its own candidates.
struct Ranks {
  std::span<const Offset> above, ties, candidates;  // of one size
  bool one_pool = false;                            // all positives have the same candidates

  std::size_t size() const { return above.size(); }
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
[[nodiscard]] double rank_of(const Ranks& ranks, std::size_t positive, TieRule rule);

}  // namespace cupel
