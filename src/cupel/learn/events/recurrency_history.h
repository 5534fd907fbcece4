// What one direction of a relation has been, as the recurrency baseline looks at it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "cupel/learn/events/object_counts.h"

namespace cupel {

// Takes facts (given, object, time) in the order of time. Of each pair (given, object) it keeps
// sums over its times k of 2^(decay (k - last)), for several decays at once, where `last` is the
// last time of all facts.
//
// Without a window the sums are carried on, and a question costs what the objects of its given
// cost: 24 bytes + 8 for each decay a pair, and 17 to 34 bytes a given. With a window it costs what
// the times in the window cost, and each time of a pair takes 24 bytes.
// Not thread-safe.
// At most 2^31 - 1 facts; the next one is an Error.
class RecurrencyHistory {
 public:
  // `decays` are per unit of time, not negative. Facts before the asked time less `window` count no
  // longer; 0: all count.
  RecurrencyHistory(std::vector<double> decays, std::int64_t window)
      : decays_(std::move(decays)), window_(window) {}

  // Before the first fact: only pairs of givens that are named so are kept. All objects count.
  void keep_only(Index given);
  void add(Index given, Index object, std::int64_t time);
  // What follows is asked at this time, which may lie before the one asked last.
  void ask_at(std::int64_t time);

  struct Recalled {
    std::vector<Index> slots;  // of the objects of a given, each once
    std::vector<double> sums;  // slots x decays
  };
  void recall(Index given, Recalled& out) const;
  // The sum of one pair under the first decay.
  double recall(Index given, Index object) const;

  const ObjectCounts& objects() const { return objects_; }  // in the window
  // Times of the first fact in the window and of the last. Requires objects().total() > 0.
  std::int64_t first() const {
    return window_ > 0 ? occurrences_[static_cast<std::size_t>(expired_)].time : first_;
  }
  std::int64_t last() const { return last_; }

 private:
  struct Pair {
    Index given = 0, slot = 0, next = -1;  // next: another pair of the given
    std::int64_t latest = 0;               // time; with a window: number of the occurrence
  };
  struct Given {
    Index id = 0, pairs = -1;
  };
  struct Occurrence {
    std::int64_t time = 0;
    Index slot = 0, count = 0, before = -1;  // before: of the same pair
  };
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  Index find_given(Index given) const;
  Index add_given(Index given);
  Index find_pair(Index given, Index slot) const;
  Index add_pair(Index given, Index slot);
  void add_sum(Index pair, std::int64_t time);
  void add_occurrence(Index slot, Index pair, std::int64_t time);
  double decayed(double decay, std::int64_t time) const;
  // Calls take(decay's number, sum); false if the pair has nothing in the window.
  template <class Take>
  bool sums_of(Index pair, std::size_t decays, const Take& take) const;

  std::vector<double> decays_;
  std::int64_t window_ = 0;
  ObjectCounts objects_;
  IdTable given_table_, pair_table_;
  std::vector<Given> givens_;
  std::vector<Pair> pairs_;
  std::vector<double> sums_;  // pairs x decays, as of the pair's latest time
  bool only_ = false;
  Index facts_ = 0;
  std::int64_t first_ = 0, last_ = 0;

  std::vector<Occurrence> occurrences_;  // of the window; times ascend
  Offset expired_ = 0;                   // so many are before the window
  std::int64_t start_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace cupel
