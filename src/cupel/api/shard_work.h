// One shard of a plan: the runs that earlier attempts have not published, done and published now
// and then.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cupel/api/study.h"
#include "cupel/lab/shards/frozen_plan.h"
#include "cupel/lab/shards/shard_folder.h"

namespace cupel {

// The shard "I/N" (parse_shard()), or for "" the one that an engine says: by SLURM_ARRAY_TASK_ID,
// SGE_TASK_ID and PBS_ARRAY_INDEX, which count from 1, or JOB_COMPLETION_INDEX, from 0. Throws
// Error where none says, and for what the plan does not have.
[[nodiscard]] Shard shard_of(const std::string& given, const FrozenPlan& plan);

// Not safe for several threads at once, but for what ExecuteOptions says of callbacks. Several
// processes may do one shard.
class ShardWork {
 public:
  // `shard` has runs, `folder` is where all machines see them. Throws Error as ShardStore does.
  ShardWork(FrozenPlan plan, Shard shard, std::filesystem::path folder);

  // Where its results are published, or will be.
  [[nodiscard]] const std::filesystem::path& path() const { return own_.path(); }
  // As of ShardStore.
  [[nodiscard]] const std::vector<std::filesystem::path>& set_aside() const {
    return own_.set_aside();
  }

  // Plans anew from `sources`, those of `data_folder` or with more. Throws Error as make_plan() and
  // pending_of() do. To be called once, before what follows.
  [[nodiscard]] StudyOutlook plan(const PlanSources& sources,
                                  const std::filesystem::path& data_folder, bool retry);

  struct Publishing {
    double seconds = 300;  // between two times
    // Told what keeps it from publishing now, amid the work; the next time may be better. From
    // whatever thread.
    std::function<void(const std::string&)> on_problem;
  };
  // Notes in the store what is asked for. Throws Error as Store does.
  void begin(Publishing publishing);
  // Does what the outlook has, but for what `options.refused` names, and publishes all of it.
  // Throws Error as execute() does, and if it cannot be published in the end; keep() is the way out
  // then.
  ExecuteSummary execute(const ExecuteOptions& options);
  // As of ShardStore; nothing else may follow.
  [[nodiscard]] std::filesystem::path keep() { return own_.keep(); }

 private:
  using Clock = std::chrono::steady_clock;
  void publish();
  // If it is time to.
  void publish_news();

  FrozenPlan frozen_;
  std::vector<FrozenRuns> runs_;  // of the shard
  std::filesystem::path folder_;
  ShardStore own_;
  Plan plan_;
  Pending pending_;
  std::unique_ptr<Executor> executor_;
  Publishing publishing_;
  Clock::time_point last_;
  bool news_ = false;
  std::vector<std::filesystem::path> checkpoints_;  // needed until the results are published
};

}  // namespace cupel
