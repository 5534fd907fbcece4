// What a run of a store predicts: stores keep scores, so the run is done again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/parallel.h"
#include "cupel/lab/plan/family.h"
#include "cupel/lab/plan/sources.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// A run that can be done again here.
struct FoundRun {
  std::shared_ptr<const Family> family;
  int split = 0, init = 0;
  RunRecord record;  // as the store has it, with its identity
};

// The run that `name` means: a run by its id (a unique beginning of 6 digits or more), else the
// first run, by split and initialisation, that has a test score of the row of that name on the data
// set with the hash `content`, in the protocol asked for last that has one, and of a row that
// chooses its configuration in the one it chose. `dataset` is what messages call the data. Throws
// Error: there is none, with the rows there are; it is of other data; its model is a program, which
// need not do the same again; it is not about classes of nodes; data or numerics here are not those
// it was made with.
[[nodiscard]] FoundRun find_run(const Store& store, const std::string& name,
                                const std::string& content, const std::string& dataset,
                                const PlanSources& sources);

// Does the run again and asks it for all nodes of its prepared graph: per node the class with the
// largest score, the smallest of equals. Training is the run's own, to the bit, as it does not see
// which nodes will be asked. Throws Error if the score on its test nodes is not the one that the
// store has; Interrupted or TimedOut.
[[nodiscard]] std::vector<Index> predictions_of(const FoundRun& run, Threads threads,
                                                const RunLimits& limits = {});

}  // namespace cupel
