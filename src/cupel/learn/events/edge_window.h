// How far back EdgeBank remembers.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "cupel/base/matrix.h"
#include "cupel/learn/events/time_between.h"

namespace cupel {

// The quantile of the times of facts that come in the order of time. Keeps the times from it on.
class RunningQuantile {
 public:
  explicit RunningQuantile(double q) : q_(q) {}
  void add(std::int64_t time);
  // The earliest time that is not before the quantile: of the two that numpy interpolates between,
  // no fact lies. Requires a time.
  std::int64_t first_within() const;

 private:
  // Where it lies in the order of times, from 0.
  double place() const { return static_cast<double>(facts_ - 1) * q_; }

  double q_ = 0;
  Offset facts_ = 0, dropped_ = 0;
  std::deque<std::int64_t> times_;  // all but those dropped
};

// The last `share` of a span of time, as TGB computes it.
std::uint64_t share_of_span(std::uint64_t span, double share);

// The mean over pairs of the mean gap between the facts of a pair, 0 for those that have one. The
// sum is exact in units of 2^-32, to which each pair's mean is rounded up, so that it depends on
// the facts alone, and a mean that is a whole number is found as one.
class MeanGap {
 public:
  // A pair whose facts, now `count`, span `before` without the last of them and `now` with it.
  void extend(std::uint64_t before, std::uint64_t now, Offset count);
  // The whole part of the mean.
  std::uint64_t over(Offset pairs) const;

 private:
  __extension__ using Wide = unsigned __int128;
  static Wide mean(std::uint64_t span, Offset gaps);

  Wide sum_ = 0;
};

}  // namespace cupel
