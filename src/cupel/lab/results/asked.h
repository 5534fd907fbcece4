// Which runs were asked of a cell, without listing them: a protocol may ask for a million splits
// times a million initialisations.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "cupel/lab/plan/choose.h"

namespace cupel {

// A union of requests, each for the first so many splits x the first so many inits, cut to a window
// of inits.
class AskedRuns {
 public:
  void add(int splits, int inits);
  // Those of the inits from `first` up to `end` alone.
  [[nodiscard]] AskedRuns of_inits(int first, int end = std::numeric_limits<int>::max()) const;

  [[nodiscard]] bool contains(const RunPlace& place) const;
  [[nodiscard]] std::int64_t count() const;

  // A set that choose() and choose_by_split() take for all of these: the runs that some candidate
  // has and, where there are runs that none has, one of them on each split that matters. Nothing is
  // chosen by more than that. Candidates have no runs but these.
  [[nodiscard]] std::set<RunPlace> stand_in(const std::vector<Candidate>& candidates) const;

 private:
  // Inits that are asked for on a split.
  [[nodiscard]] int inits_on(int split) const;

  std::map<int, int> inits_;  // by number of splits: of this request or a larger one, the most
  int first_ = 0, end_ = std::numeric_limits<int>::max();
};

}  // namespace cupel
