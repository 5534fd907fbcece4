#include "cupel/api/plan_progress.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cupel/api/engines.h"
#include "cupel/api/plan_places.h"
#include "cupel/lab/shards/shard_folder.h"

namespace cupel {
namespace {

std::string state_of(const ShardStatus& status, const std::string& queued, bool attended) {
  if (status.done == status.runs) return "done";
  if (!queued.empty()) return queued;
  if (attended) return "running";
  return status.damaged.empty() ? "missing" : "damaged";
}

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> out;
  for (const std::filesystem::path& path : paths) out.push_back(path.string());
  return out;
}

}  // namespace

std::vector<int> PlanProgress::missing() const {
  std::vector<int> out;
  for (const ShardProgress& one : shards)
    if (one.missing()) out.push_back(one.shard);
  return out;
}

PlanProgress progress_of(const std::string& plan, const std::string& out,
                         const std::string& store) {
  PlanProgress progress;
  progress.plan = read_frozen(plan);
  progress.folder = published_folder(plan, out);
  progress.store = merged_store(plan, store);
  const std::string& hash = progress.plan.hash;
  PlanStatus published = status_of(progress.plan, progress.folder);
  const std::map<int, std::string> queued = slurm_states(progress.folder, hash);
  const std::map<int, std::string> attended =
      attended_shards(progress.folder, hash, progress.plan.shards);
  for (int shard = 0; shard < progress.plan.shards; ++shard) {
    ShardStatus& status = published.shards[static_cast<std::size_t>(shard)];
    const auto found = queued.find(shard);
    const std::string said = found == queued.end() ? "" : found->second;
    const auto machine = attended.find(shard);
    const std::string state = state_of(status, said, machine != attended.end());
    progress.shards.push_back(
        {shard, std::move(status), state, machine == attended.end() ? "" : machine->second});
  }
  progress.damaged = std::move(published.damaged);
  return progress;
}

std::vector<std::string> damage_notes(const PlanProgress& progress) {
  std::vector<std::string> out;
  for (const std::filesystem::path& path : progress.damaged) {
    // One whose shard is handed out again is set aside by who does it.
    const bool again =
        std::any_of(progress.shards.begin(), progress.shards.end(), [&](const ShardProgress& one) {
          const auto& own = one.status.damaged;
          return one.state == "damaged" && std::find(own.begin(), own.end(), path) != own.end();
        });
    out.push_back(fmt::format("{}: is damaged, so that what it held counts as missing; {}",
                              path.string(),
                              again ? "--resubmit hands out its shard again"
                                    : "remove it, as it keeps `cupel merge` from the folder"));
  }
  return out;
}

nlohmann::ordered_json plan_progress_json(const PlanProgress& progress) {
  auto shards = nlohmann::ordered_json::array();
  for (const ShardProgress& one : progress.shards)
    shards.push_back({{"shard", one.shard + 1},
                      {"runs", one.status.runs},
                      {"done", one.status.done},
                      {"failed", one.status.failed},
                      {"seconds_left", one.status.seconds_left},
                      {"state", one.state},
                      {"machine", one.machine},
                      {"damaged", names_of(one.status.damaged)}});
  return {{"plan", progress.plan.hash},
          {"runs", progress.plan.count()},
          {"folder", progress.folder.string()},
          {"store", progress.store.string()},
          {"shards", shards}};
}

}  // namespace cupel
