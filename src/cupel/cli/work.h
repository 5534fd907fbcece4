// What `run` and `tune` share: doing pending runs while telling how it goes, and what came of it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cupel/cli/options.h"
#include "cupel/cli/terminal.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/store/store.h"

namespace cupel::cli {

// The store of a command. One that is there is opened at once, so that a file of something else is
// told before data is read; one that is not is made at first use, so that a plan that cannot be
// made leaves no file behind. For a dry run it is one in memory.
class StoreOpener {
 public:
  StoreOpener(const WorkArguments& arguments, const std::string& protocol_name);
  Store& store();
  // The same to read from, without making one.
  const Store& look();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool only_look_;
  std::unique_ptr<Store> store_, empty_;
};

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
[[nodiscard]] bool announce(const Pending& pending, const std::vector<Refusal>& refused);

// Says on standard error which programs will not be kept apart from labels and results.
void announce_isolation(const Pending& pending);

// What programs may not see: the data, and the store with the files that go with it.
[[nodiscard]] std::vector<std::filesystem::path> hidden_from_programs(
    const WorkArguments& arguments, const StoreOpener& opener);

// The plan as `--dry-run` prints it.
[[nodiscard]] std::string estimate_text(const PlanEstimate& estimate);
[[nodiscard]] std::string estimate_json(const PlanEstimate& estimate);

}  // namespace cupel::cli
