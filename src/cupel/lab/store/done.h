// Which runs of a family a store has, and which are still to do.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "cupel/lab/store/store.h"

namespace cupel {

// As the store is when this is made.
class DoneRuns {
 public:
  enum class State { kToDo, kWell, kWrong };  // kWrong: failed or timed out

  DoneRuns() = default;
  // A run with a test score that lacks one of `strata` is to do again, and with `retry` one that
  // went wrong.
  DoneRuns(const Store& store, const std::string& family_id, const std::set<std::string>& strata,
           bool retry);

  [[nodiscard]] State state(int split, int init) const;

 private:
  std::map<std::pair<int, int>, RunStatus> statuses_;
  std::set<std::pair<int, int>> unsplit_;
  bool retry_ = false;
};

}  // namespace cupel
