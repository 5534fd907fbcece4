// Runs of models that are functions of this process (lab/plan/model_function.h).
//
// A function cannot be ended: one that is late is recorded as timed out when it returns, and an
// interrupt waits for it. What it throws, NaN, wrong shapes and lateness are recorded failures, and
// the next run goes on. Who calls it in a process of its own may end that, and says so. The record
// says `none` of its isolation.
#pragma once

#include <memory>

#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/pending.h"

namespace cupel {

// A session that calls the function of the group's family. The test answers stay with us.
[[nodiscard]] std::unique_ptr<RunSession> open_function(Task task, const RunGroup& group,
                                                        Threads threads);

}  // namespace cupel
