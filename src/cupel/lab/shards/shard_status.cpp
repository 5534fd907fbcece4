#include "cupel/lab/shards/shard_status.h"

#include <map>
#include <set>
#include <string>

#include "cupel/lab/shards/shard_folder.h"
#include "cupel/lab/store/done.h"

namespace cupel {
namespace {

// What each published store has of each family of the plan.
using Known = std::map<std::string, std::vector<DoneRuns>>;

Known published_runs(const FrozenPlan& plan, const std::vector<std::filesystem::path>& stores) {
  Known out;
  for (const FrozenRuns& runs : plan.runs) out[runs.family];
  for (const std::filesystem::path& path : stores) {
    const Store store(path, Store::Mode::kOpen);
    for (auto& [family, done] : out)
      done.emplace_back(store, family, std::set<std::string>{}, false);
  }
  return out;
}

// A run that went well anywhere went well.
DoneRuns::State state_of(const std::vector<DoneRuns>& done, int split, int init) {
  auto out = DoneRuns::State::kToDo;
  for (const DoneRuns& one : done) {
    const DoneRuns::State state = one.state(split, init);
    if (state == DoneRuns::State::kWell) return state;
    if (state == DoneRuns::State::kWrong) out = state;
  }
  return out;
}

void note_damaged(PlanStatus& out, const FrozenPlan& plan, const std::filesystem::path& store) {
  out.damaged.push_back(store);
  for (int shard = 0; shard < plan.shards; ++shard) {
    if (is_of_shard(store, plan.hash, shard, plan.shards))
      out.shards[static_cast<std::size_t>(shard)].damaged.push_back(store);
  }
}

PlanStatus listed_status(const FrozenPlan& plan, const std::filesystem::path& folder) {
  PlanStatus out;
  out.shards.resize(static_cast<std::size_t>(plan.shards));
  std::vector<std::filesystem::path> whole;
  for (const std::filesystem::path& path : shard_stores(folder, plan.hash)) {
    if (damage_of(path))
      note_damaged(out, plan, path);
    else
      whole.push_back(path);
  }
  const Known known = published_runs(plan, whole);
  each_run(plan, plan.shards, [&](int shard, const FrozenRuns& runs, int init) {
    ShardStatus& status = out.shards[static_cast<std::size_t>(shard)];
    ++status.runs;
    const DoneRuns::State state = state_of(known.at(runs.family), runs.split, init);
    if (state == DoneRuns::State::kToDo)
      status.seconds_left += 1e-6 * static_cast<double>(runs.microseconds);
    else
      ++status.done;
    status.failed += state == DoneRuns::State::kWrong;
  });
  return out;
}

}  // namespace

PlanStatus status_of(const FrozenPlan& plan, const std::filesystem::path& folder) {
  return read_listed([&] { return listed_status(plan, folder); });
}

}  // namespace cupel
