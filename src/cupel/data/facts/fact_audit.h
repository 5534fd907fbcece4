// What an audit of facts over time asks: what repetition alone answers, and how coarse time is.
#pragma once

#include <cstdint>
#include <string_view>

#include "cupel/data/facts/groups.h"

namespace cupel {

// Test facts (s, r, o, t) that stood before, as EdgeBank without limit finds them: in training
// (`in_training`, the group "repeated"), or at any earlier time in whatever part (`before`), which
// is known where forecasts go one step ahead. Of relations without direction in either order.
// Memory: FactCounts of training, and 24 bytes for each later fact that is not in it.
struct Repetition {
  Offset test = 0, in_training = 0, before = 0;
};
[[nodiscard]] Repetition repetition(const FactColumns& facts, const TimeParts& parts,
                                    Undirected undirected, Threads threads);

// Times as they are written: how many differ, what all their differences are multiples of (0 if
// there is one time), and how many facts the largest step has. Linear.
struct TimeGrain {
  Offset steps = 0, largest_step = 0;
  std::uint64_t multiple = 0;
};
[[nodiscard]] TimeGrain time_grain(std::span<const std::int64_t> time);

// Facts that are dated the first of January, and those dated the first of any month; and how many
// different days these are. Nothing where `unit` is neither "day" nor "second". Times ascend.
// Linear.
struct FirstDays {
  Offset facts_of_years = 0, facts_of_months = 0;
  Offset years = 0, months = 0;
};
[[nodiscard]] FirstDays first_days(std::span<const std::int64_t> time, std::string_view unit);

}  // namespace cupel
