// As few runs as the question needs: the cells of a protocol's tables are run look by look, each
// until it is shown equivalent to its published value or different from it.
#pragma once

#include <functional>
#include <string>

#include "cupel/judge/report/verdict.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/run/store.h"

namespace cupel {

struct UntilOptions {
  int max_splits = 0;  // of random splits and folds; 0: as many as the protocol has
  int inits = 1;       // initialisations on each of those
  int max_inits = 20;  // on stored splits, where looks are over initialisations
};

// A cell after a look at it.
struct LookReport {
  CellName cell;
  Verdict verdict = Verdict::kUndecided;
  int look = 0, looks = 0, size = 0;
  int open = 0;  // cells that are still undecided and may be looked at again
};

struct UntilSummary {
  ExecuteSummary work;  // of all looks together
  int cells = 0;        // with a published value
  int equivalent = 0, different = 0, undecided = 0;
  int without_value = 0;        // cells left out, as there is nothing to decide
  std::int64_t full_runs = 0;   // that the protocol asks for in these cells
  std::int64_t asked_runs = 0;  // that were asked for here, those that were there already included
};

// Runs the plan of `selection` (whose splits and inits are not read) in this order: every cell to
// its first look, then the cell whose decision is expected to take the most runs. Looks are at the
// sizes of look_schedule(), levels those of levels_of_looks(); both depend on nothing but the
// largest size, which the store keeps, so that a report made later judges by the same. The same
// call again resumes. Stops when nothing is open, or at an interrupt.
//
// A cell that chooses between configurations runs all of them at each look. Throws Error as
// make_plan and execute do, and if no cell has a published value.
UntilSummary run_until_decided(const Protocol& protocol, const Selection& selection,
                               const PlanSources& sources, Store& store, const Executor& executor,
                               const ExecuteOptions& execute_options, const UntilOptions& options,
                               const std::function<void(const LookReport&)>& on_look = {});

}  // namespace cupel
