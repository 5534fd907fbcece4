#include "cupel/api/shard_work.h"

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "cupel/api/how.h"
#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/lab/run/checkpoint_file.h"

namespace cupel {
namespace {

// Where engines tell a task its index, and from what number they count.
struct IndexVariable {
  const char* name;
  int first;
};
constexpr std::array<IndexVariable, 4> kIndexVariables = {{{"SLURM_ARRAY_TASK_ID", 1},
                                                           {"SGE_TASK_ID", 1},
                                                           {"PBS_ARRAY_INDEX", 1},
                                                           {"JOB_COMPLETION_INDEX", 0}}};

}  // namespace

Shard shard_of(const std::string& given, const FrozenPlan& plan) {
  if (!given.empty()) return parse_shard(given);
  for (const IndexVariable& variable : kIndexVariables) {
    const char* text = std::getenv(variable.name);
    if (text == nullptr || *text == '\0' || std::string_view(text) == "undefined") continue;
    char* end = nullptr;
    const long index = std::strtol(text, &end, 10) - variable.first;
    if (*end != '\0' || index < 0 || index >= plan.shards)
      fail("{} is '{}', and the plan has shards {} to {}; --shard I/N names one", variable.name,
           text, variable.first, plan.shards - 1 + variable.first);
    return {static_cast<int>(index), plan.shards};
  }
  fail("work: which of the {}? --shard 1/{} is the first", counted(plan.shards, "shard"),
       plan.shards);
}

ShardWork::ShardWork(FrozenPlan plan, Shard shard, std::filesystem::path folder)
    : frozen_(std::move(plan)),
      runs_(runs_of_shard(frozen_, shard.index, shard.count)),
      folder_(std::move(folder)),
      own_(folder_, frozen_.hash, shard.index, shard.count) {}

StudyOutlook ShardWork::plan(const PlanSources& sources, const std::filesystem::path& data_folder,
                             bool retry) {
  plan_ = make_plan(protocol_of(frozen_), selection_of(frozen_, runs_), sources);
  Store& store = own_.store();
  pending_ = pending_of(frozen_, runs_, plan_, store, retry);
  executor_ = make_executor({data_folder, store.path(), folder_});
  return {pending_, refusals(pending_, *executor_)};
}

void ShardWork::begin(Publishing publishing) {
  own_.store().register_plan(plan_);
  publishing_ = std::move(publishing);
  last_ = Clock::now();
}

ExecuteSummary ShardWork::execute(const ExecuteOptions& options) {
  ExecuteOptions own = options;
  own.checkpoints = own_.checkpoints();
  own.on_progress = [&](const Progress& progress) {
    if (options.on_progress) options.on_progress(progress);
    news_ = true;
    publish_news();
  };
  // A run may be the only one for hours.
  own.on_tick = [&](const Progress& progress) {
    if (options.on_tick) options.on_tick(progress);
    publish_news();
  };
  own.on_checkpoint_over = [&](const auto& path) { checkpoints_.push_back(path); };
  ExecuteSummary out = cupel::execute(pending_, own_.store(), *executor_, own);
  publish();  // before anybody is told where the results are
  return out;
}

void ShardWork::publish() {
  own_.publish();
  news_ = false;
  for (const std::filesystem::path& path : checkpoints_) CheckpointFile::remove(path);
  checkpoints_.clear();
}

// What cannot be published now may be later; the last time counts. Calls do not overlap, as those
// of on_progress and on_tick do not.
void ShardWork::publish_news() {
  const auto now = Clock::now();
  if (!news_ || std::chrono::duration<double>(now - last_).count() < publishing_.seconds) return;
  last_ = now;
  try {
    publish();
  } catch (const Error& error) {
    if (publishing_.on_problem) publishing_.on_problem(error.what());
  }
}

}  // namespace cupel
