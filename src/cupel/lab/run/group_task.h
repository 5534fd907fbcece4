// The task of a group of runs: its split, drawn, as a view and sealed answers.
#pragma once

#include "cupel/base/parallel.h"
#include "cupel/lab/run/pending.h"
#include "cupel/learn/task.h"

namespace cupel {

// Draws the group's split and what the kind of task draws beside it. Throws Error if that cannot be
// done. A pure function of family and split.
[[nodiscard]] Task task_of(const RunGroup& group, Threads threads);

}  // namespace cupel
