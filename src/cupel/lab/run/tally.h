// What one call of execute() counts: outcomes, what could not start, and how it goes on.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel {

// Not thread-safe: the scheduler's mutex guards it.
class Tally {
 public:
  // `workers` share what is left.
  Tally(const Pending& pending, int workers);

  // Runs still to be done or given up, and those that are.
  [[nodiscard]] int total() const { return total_; }
  [[nodiscard]] int done() const { return summary_.done; }

  void count(const Family& family, const RunRecord& record);
  // Runs that are given up: they leave the total. `announced`: as of NotStartedRow.
  void give_up(const Family& family, int runs, const std::string& reason, bool announced);

  // Runs that another process has done: they are stored ones. `failed`: how many went wrong.
  void found(const Family& family, int runs, int failed);

  // Without `running`. Before the first run is done there is no rate and no time left.
  [[nodiscard]] Progress progress(const Family* last) const;
  [[nodiscard]] ExecuteSummary summary(bool interrupted) const;

 private:
  [[nodiscard]] double seconds() const;

  const std::chrono::steady_clock::time_point start_;
  int workers_, total_ = 0;
  ExecuteSummary summary_;
  std::set<std::string> messages_;
  std::map<const Family*, std::pair<int, double>> spent_;  // runs, seconds
  std::map<const Family*, int> left_of_;
};

}  // namespace cupel
