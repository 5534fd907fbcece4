// Facts parted by time: what was known, what is predicted.
//
// A part is all facts whose time is in an interval, so that a step of time (all facts of one time)
// is never cut in two: it goes as a whole to the part whose interval has it. Cuts that fall inside
// a step, as quantiles do, are moved by this to its end.
#pragma once

#include <string>
#include <vector>

#include "cupel/data/facts/columns.h"

namespace cupel {

// The last times of the parts: train is t <= train, valid is train < t <= valid, test is
// valid < t <= test. What is later is in no part.
struct TimeCuts {
  std::int64_t train = 0, valid = 0, test = 0;
  friend bool operator==(const TimeCuts&, const TimeCuts&) = default;
};

// Places in the columns: train [0, train_end), valid [train_end, valid_end), test [valid_end,
// test_end). Facts from test_end on are in no part.
struct TimeParts {
  Offset train_end = 0, valid_end = 0, test_end = 0;
  friend bool operator==(const TimeParts&, const TimeParts&) = default;

  FactColumns train(const FactColumns& facts) const { return facts.part(0, train_end); }
  FactColumns valid(const FactColumns& facts) const { return facts.part(train_end, valid_end); }
  FactColumns test(const FactColumns& facts) const { return facts.part(valid_end, test_end); }
};

// "2018,2019,2021": three whole numbers. Where `time_unit` (TemporalFacts) is "day" or "second",
// each may be a day as "2019-01-31" (its last second), and of seconds a time of day
// (base/calendar.h). Throws Error naming `what` (as "--split") and the text if they are not three
// or do not ascend strictly.
[[nodiscard]] TimeCuts parse_time_cuts(const std::string& text, const std::string& time_unit,
                                       const std::string& what);

// Logarithmic. Throws Error, which names `name` and its first and last time, if cuts do not ascend
// strictly or a part has no fact; where there are fewer than three steps, it says so.
[[nodiscard]] TimeParts parts_at(const FactColumns& facts, const TimeCuts& cuts,
                                 const std::string& name);

// Times that occur, ascending. Linear.
[[nodiscard]] std::vector<std::int64_t> time_steps(std::span<const std::int64_t> time);

// The k-th split after `cuts`: each cut moves on by k of the steps that occur, so that each part
// keeps its number of steps but train, which grows. With a step for each year that is a + k, b + k,
// c + k. A cut between two steps counts as the earlier one. k = 0 gives `cuts` as they are. Throws
// Error, which says how many there are, if k >= later_cuts(). `steps` as of time_steps().
[[nodiscard]] TimeCuts moved_cuts(std::span<const std::int64_t> steps, const TimeCuts& cuts,
                                  Offset k, const std::string& name);
// Splits that `cuts` begin, at least 1: until the last step is tested.
[[nodiscard]] Offset later_cuts(std::span<const std::int64_t> steps, const TimeCuts& cuts);
// Throws Error, which says how many there are, if `count` > later_cuts().
void check_later_cuts(std::span<const std::int64_t> steps, const TimeCuts& cuts, Offset count,
                      const std::string& name);

// Cuts at quantiles of the facts' times, 0 < train < valid < 1; the test part ends with the last
// time. Parts as those of Rossi et al. 2020 (TGN) at 0.7 and 0.85, who take t <= quantile: between
// the two facts that a quantile interpolates no fact lies, so that the cut is the time of the
// earlier one (or the later one's, where numpy's rounding reaches it). numpy rounds times from 2^53
// on, such as nanoseconds since 1970, so that its quantiles may differ there. Throws Error if a
// part would have no fact or, as parts_at() does, if there are fewer than three steps.
[[nodiscard]] TimeCuts quantile_cuts(std::span<const std::int64_t> time, double train, double valid,
                                     const std::string& name);

// Whether the fact before place `at` and the one behind it are of one time: parts that come as
// files may cut a step in two.
[[nodiscard]] bool cuts_a_step(std::span<const std::int64_t> time, Offset at);

}  // namespace cupel
