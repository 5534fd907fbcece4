// What `run` and `tune` share: doing pending runs while telling how it goes, and what came of it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cupel/api/study.h"
#include "cupel/cli/options.h"
#include "cupel/cli/terminal.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/store/store.h"

namespace cupel::cli {

// plan_sources() that tell on a terminal which data set is being read.
[[nodiscard]] PlanSources telling_sources(const std::filesystem::path& data_folder,
                                          StatusLine& status);

// Calls `execute` with options whose progress is shown on a terminal and which Ctrl-C interrupts;
// then says on standard error what was done, what failed and what could not start. Returns the exit
// code: kRunsFailed if some of the runs asked for have no score, now or from before.
struct WorkReport {
  int exit_code = 0;
  ExecuteSummary summary;
};
[[nodiscard]] WorkReport work(const ExecuteOptions& options, const std::filesystem::path& store,
                              const std::function<ExecuteSummary(const ExecuteOptions&)>& execute);

// Says on standard error, before anything runs, what will not be run and why. Whether anything is
// left: runs to do, or some in the store.
[[nodiscard]] bool announce(const StudyOutlook& outlook);

// Says on standard error which programs will not be kept apart from labels and results, and which
// may be edited unnoticed.
void announce_programs(const Pending& pending);

// The plan as `--dry-run` prints it.
[[nodiscard]] std::string estimate_text(const PlanEstimate& estimate);

}  // namespace cupel::cli
