// A search for settings (lab/run/tune.h), the data that it is about and the store that its runs go
// to: what is left to do, doing it, and what was found.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/api/study.h"
#include "cupel/lab/run/tune.h"

namespace cupel {

struct TuningRequest {
  Protocol protocol;
  TuneOptions tune;
  PlanSources sources;                             // plan_sources(data_folder), or with more
  std::filesystem::path data_folder;               // see data_folder() of catalog.h
  std::vector<std::filesystem::path> hidden = {};  // as of StudyRequest
  std::filesystem::path store;
  bool only_look = false;  // nothing is run, and no store is made
};

// Not safe for several threads at once, but for what ExecuteOptions says of callbacks.
class Tuning {
 public:
  // Reads and prepares the data. Throws Error as Store and make_tune_plan do.
  explicit Tuning(TuningRequest request);

  [[nodiscard]] const Plan& plan() const { return plan_.plan; }
  [[nodiscard]] const Executor& executor() const { return *executor_; }
  // The store as it is, without making one.
  [[nodiscard]] const Store& look() { return opener_.look(); }
  [[nodiscard]] const std::filesystem::path& store_path() const { return opener_.path(); }
  [[nodiscard]] PlanEstimate estimate(const ExecuteOptions& options, const Pilot& pilot = {});
  [[nodiscard]] Pending pending(const ExecuteOptions& options);
  // Does what is left to do. Throws Error as execute() of the scheduler does.
  ExecuteSummary execute(const ExecuteOptions& options);
  // Where the search stands, and its best settings as sections of a protocol file.
  [[nodiscard]] TuneResult result();
  [[nodiscard]] std::string toml();
  // The same as what a protocol says that extends the one that is searched; "": nothing was found.
  [[nodiscard]] std::string changes();
  // Before anything runs: throws Error if write_tuned() will not do.
  void check_tuned(const std::filesystem::path& path, const std::string& base) const;

 private:
  Protocol protocol_;
  StoreOpener opener_;
  TunePlan plan_;
  std::unique_ptr<Executor> executor_;
};

// Writes a protocol to a new file: it extends `base`, the one that was searched, a name or a path
// as load_protocol() takes it, by `changes`. Throws Error where there is something already, if
// nothing was found, and for what could not be loaded from there: a program of a base in another
// folder, settings of a data set that the base does not have.
void write_tuned(const std::filesystem::path& path, const std::string& base,
                 const std::string& changes);

// What was found as `cupel tune --json` prints it.
[[nodiscard]] nlohmann::ordered_json tune_json(const TuneResult& result);

}  // namespace cupel
