// As few runs as the question needs: the cells of a protocol's tables are run look by look, each
// until it is shown equivalent to its published value or different from it, or until it is plain
// that more runs would show neither.
#pragma once

#include <functional>
#include <optional>

#include "cupel/judge/report/verdict.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/store/store.h"

namespace cupel {

struct UntilOptions {
  int max_splits = 0;           // of random splits and folds; 0: as many as the protocol has
  int inits = 1;                // initialisations on each of those
  int max_inits = 20;           // on stored splits, where looks are over initialisations
  std::optional<double> delta;  // instead of the protocol's
};

// What of a protocol to plan for: make_plan() of this, then until_plan().
[[nodiscard]] Selection until_selection(const Selection& selection, const UntilOptions& options);

// The cells of such a plan that have a published value, each at the largest size that it may get.
// Throws Error if there is none.
[[nodiscard]] Plan until_plan(const Protocol& protocol, const Plan& plan,
                              const UntilOptions& options);

// A cell after a look at it.
struct LookReport {
  CellName cell;
  Verdict verdict = Verdict::kUndecided;
  int look = 0, looks = 0, size = 0;
  int open = 0;  // cells that are still undecided and may be looked at again
};

struct UntilSummary {
  ExecuteSummary work;  // of all looks together
  int cells = 0;
  int equivalent = 0, different = 0, undecided = 0;
  std::int64_t full_runs = 0;   // that the protocol asks for in these cells
  std::int64_t asked_runs = 0;  // that were asked for here, those that were there already included
};

// Runs an until_plan() in this order: every cell to its first look, then the cells whose decision
// is expected to take the most runs. Looks are at the sizes of look_schedule(), levels those of
// levels_of_looks(); both depend on nothing but the largest size, which the store keeps, so that a
// report made later judges by the same. The same call again resumes. Stops when nothing is open, or
// at an interrupt.
//
// A cell that chooses between configurations runs all of them at each look. Throws Error as execute
// does, and if the store knows a cell by another largest size.
UntilSummary run_until_decided(const Protocol& protocol, const Plan& plan, Store& store,
                               const Executor& executor, const ExecuteOptions& execute_options,
                               const UntilOptions& options,
                               const std::function<void(const LookReport&)>& on_look = {});

}  // namespace cupel
