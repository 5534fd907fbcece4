// A part of a protocol, the data that it is about and the store that its outcomes go to: what is
// asked, what is left to do, doing it, and the results.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cupel/judge/sequential/until_decided.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/protocol/protocol.h"
#include "cupel/lab/results/results.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/pending.h"
#include "cupel/lab/run/pilot.h"
#include "cupel/lab/run/scheduler.h"
#include "cupel/lab/store/store.h"

namespace cupel {

// "decided", or "" for all runs, with what goes with it as users give it.
struct UntilRequest {
  std::string until;
  int splits = 0, inits = 0, max_splits = 0;
  bool sharded = false;
  std::optional<double> delta;
};
// Throws Error for what contradicts it.
[[nodiscard]] std::optional<UntilOptions> read_until(const UntilRequest& request);

// The store that a user means: `given`, else PROTOCOL.sqlite in the current folder. Throws Error
// for ":memory:", which SQLite takes for a store that is gone with the program, and for what ends
// like a folder.
[[nodiscard]] std::filesystem::path kept_store(const std::string& given,
                                               const std::string& protocol = {});

// A store that is opened when it is known to be needed. One that is there is opened at once, so
// that a file of something else is told before data is read; one that is not is made at first use,
// so that a plan that cannot be made leaves no file behind. Only to look, nothing is changed, and
// one in memory stands for one that is not there.
class StoreOpener {
 public:
  StoreOpener(std::filesystem::path path, bool only_look);
  Store& store();
  // The same to read from, without making one.
  const Store& look();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool only_look_;
  std::unique_ptr<Store> store_, empty_;
};

// Tries out what of a plan never ran, for as long as `argument` says: "10s" (and ""), or "none".
// Throws Error for what is no time.
[[nodiscard]] Pilot pilot_for(const std::string& argument, const Plan& plan, const Store& store,
                              const Executor& executor, const ExecuteOptions& options);
// What is shown while that lasts.
inline constexpr const char* kTryingOut = "trying out what never ran here";

// What programs may not see: the data, the store with the files that go with it, and `more`.
[[nodiscard]] std::vector<std::filesystem::path> hidden_from_programs(
    const std::filesystem::path& data_folder, const std::filesystem::path& store,
    const std::vector<std::filesystem::path>& more);

struct StudyRequest {
  Protocol protocol;
  Selection selection;
  PlanSources sources;                        // plan_sources(data_folder), or with more
  std::filesystem::path data_folder;          // see data_folder() of catalog.h
  std::vector<std::filesystem::path> hidden;  // where else data lie that programs may not see
  std::filesystem::path store;
  bool only_look = false;             // nothing is run, and no store is made
  std::optional<UntilOptions> until;  // run no more than it takes to decide each cell
  std::optional<double> delta;        // of the results: instead of the protocol's
};

// What is left to do, as far as it is known before anything runs.
struct StudyOutlook {
  Pending pending;
  std::vector<Refusal> refused;
  // Whether there are runs to do, or some in the store; else there is nothing to report.
  [[nodiscard]] bool has_runs() const;
};

// Not safe for several threads at once, but for what ExecuteOptions says of callbacks.
class Study {
 public:
  // Reads and prepares the data. Throws Error as Store, make_plan and until_plan do.
  explicit Study(StudyRequest request);

  [[nodiscard]] const StudyRequest& request() const { return request_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const Executor& executor() const { return *executor_; }
  // The store as it is, without making one.
  [[nodiscard]] const Store& look() { return opener_.look(); }
  [[nodiscard]] const std::filesystem::path& store_path() const { return opener_.path(); }
  // Rows that `until` leaves out, as nothing is published that they could be held against:
  // "gcn on cora".
  [[nodiscard]] std::vector<std::string> left_out() const;

  [[nodiscard]] PlanEstimate estimate(const ExecuteOptions& options, const Pilot& pilot = {});
  [[nodiscard]] StudyOutlook outlook(const ExecuteOptions& options);
  // Does what is left to do but for what `options.refused` names. Throws Error as execute() does.
  ExecuteSummary execute(const ExecuteOptions& options);
  // Of the last execute() with `until`.
  [[nodiscard]] const std::optional<UntilSummary>& decided() const { return decided_; }
  // Of all that the store has of the protocol. Throws Error as load_results() does.
  [[nodiscard]] Results results();

 private:
  StudyRequest request_;
  StoreOpener opener_;
  Plan all_, plan_;
  std::unique_ptr<Executor> executor_;
  std::optional<UntilSummary> decided_;
};

}  // namespace cupel
