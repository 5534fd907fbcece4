// Stores that say different things of one run. A run is a pure function of its identity, so that
// one of them is wrong, and neither date nor place tells which.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cupel/judge/leaderboard/source.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// A family of runs, and a source that keeps some of it (a place in a list of sources).
using KeptFamily = std::pair<std::string, std::size_t>;

// Collects outcomes of all sources; an outcome on which several agree is held once. Not
// thread-safe.
class Contradictions {
 public:
  // Runs of a family that a source keeps. Those that are not finished say nothing and are left out.
  // Of a run that is in conflict in the source, every side is given.
  void add(std::size_t source, const std::string& family, std::vector<StoredRun> runs);

  // Where a run of a source came out again here, others that say something else of it are refuted:
  // the run enters their `refuted`, and a sentence their problems.
  void refute(std::vector<BoardSource>& sources) const;

  // Families in which sources that hold say different things of a run, with each of these sources.
  // A run that refute() decides is no such one. Empty where nothing contradicts.
  [[nodiscard]] std::set<KeptFamily> found(const std::vector<BoardSource>& sources) const;

 private:
  struct Ending {
    RunRecord record;  // without identity and message
    std::set<std::size_t> sources;
  };
  using Endings = std::vector<Ending>;

  // The one that came out here; null if none did, or nobody knows which.
  static const Ending* decided(const Endings& endings, const std::vector<BoardSource>& sources);

  std::map<std::string, std::map<std::pair<int, int>, Endings>> families_;  // by (split, init)
};

}  // namespace cupel
