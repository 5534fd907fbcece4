// What of a plan is left to do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cupel/lab/plan/plan.h"

namespace cupel {

class Store;

// Runs that share data set, model, configuration and split: what one trainer does.
struct RunGroup {
  std::shared_ptr<const Family> family;
  int split = 0;  // number of the split: SplitScheme::first + index
  std::vector<int> inits;
  std::vector<std::shared_ptr<const Stratum>> strata;  // by which test scores are split
};

// Which part of a plan this process does: `index` of `count`, 0-based. Parts are even in what they
// are likely to cost, and the same on every machine that plans the same runs (lab/run/shards.h).
struct Shard {
  int index = 0, count = 1;
};

struct Pending {
  // Split by split, so that an interrupted table is even; of a split the longest first, by what
  // past runs took (seconds_of_run()).
  std::vector<RunGroup> groups;
  int planned = 0;  // distinct runs of the plan in this shard
  int stored = 0;   // of these, how many the store has
  int failed = 0;   // of the stored ones: failed or timed out
  // Runs of configurations that are not chosen yet: they are known once the runs that choose are
  // there, and are in none of the numbers above. Of the whole plan, whatever the shard.
  int later = 0;
};

// The runs of `plan` that `store` does not have, or has without a stratum that a cell asks for.
// With `retry`, failed and timed-out runs count as missing, and what they may choose is not chosen
// before they are done again. A run that several tables ask for appears once. Of a cell some of
// whose inits only choose, these are asked of all configurations, and the others of what they have
// chosen. Throws Error if the plan has more than ten million runs.
[[nodiscard]] Pending pending_runs(const Plan& plan, const Store& store, bool retry = false,
                                   Shard shard = {});

// What `first`, pending_runs() of the same arguments, did not know of: the runs of what has been
// chosen since. What it had is not tried again, however it ended, and chooses as it ended.
[[nodiscard]] Pending pending_after(const Pending& first, const Plan& plan, const Store& store,
                                    bool retry = false, Shard shard = {});

// Runs by name: inits of a family on a split.
struct ListedRuns {
  std::string family;  // id; some cell of the plan has it
  int split = 0;
  std::vector<int> inits;
};

// Of the listed runs, instead of all that the plan asks for, those that `store` does not have.
// Nothing is chosen: `later` is 0.
[[nodiscard]] Pending pending_runs(const Plan& plan, const Store& store,
                                   const std::vector<ListedRuns>& listed, bool retry = false);

}  // namespace cupel
