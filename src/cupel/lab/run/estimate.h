// What a plan is likely to take.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/run/pilot.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel {

// How many runs a plan needs and what they are likely to take.
struct PlanEstimate {
  struct Line {
    std::string dataset, model;
    int configurations = 0;        // that the cell chooses from, with runs to do
    int runs = 0;                  // to do
    double seconds_per_run = 0;    // mean
    std::size_t memory_bytes = 0;  // of one session, the largest; 0: not known
    int measured = 0;              // past runs behind the estimate; 0: a pilot, or the rough model
    bool rough = false;            // some of it is from the rough model
  };
  std::vector<Line> lines;  // but for what is refused
  std::vector<Refusal> refused;
  int runs = 0, stored = 0;
  int later = 0;       // runs that follow once configurations are chosen; in no other number
  double seconds = 0;  // on `jobs` workers
};

// Seconds of one run: the mean of the store's past runs of the family; where there are none, what a
// pilot saw; else from rough_work() (lab/plan/cost.h), good to a factor of ten.
struct RunSeconds {
  double mean = 0;
  int measured = 0;    // past runs behind it
  bool rough = false;  // nothing was measured at all
};
[[nodiscard]] RunSeconds seconds_of_run(const Family& family, const Store& store,
                                        const Pilot& pilot = {});

// With the times of seconds_of_run().
[[nodiscard]] PlanEstimate estimate_plan(const Plan& plan, const Store& store,
                                         const Executor& executor, const ExecuteOptions& options,
                                         const Pilot& pilot = {});

}  // namespace cupel
