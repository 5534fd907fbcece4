// What a plan is likely to take, and what the machine has.
#include <algorithm>
#include <fstream>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cupel/lab/run/cost.h"
#include "cupel/lab/run/scheduler.h"

namespace cupel {
namespace {

std::size_t read_number(const char* path) {
  std::ifstream in(path);
  std::size_t value = 0;
  // "max" is no limit.
  return in >> value ? value : std::numeric_limits<std::size_t>::max();
}

}  // namespace

std::string Refusal::text() const {
  return fmt::format("{} on {}: {}", family->row, family->dataset->name, reason);
}

std::vector<Refusal> refusals(const Pending& pending, const Executor& executor) {
  std::vector<Refusal> out;
  std::map<const Family*, std::ptrdiff_t> place;  // in out; -1: not refused
  for (const RunGroup& group : pending.groups) {
    const auto [at, fresh] = place.emplace(group.family.get(), -1);
    if (fresh) {
      const std::string reason = executor.refusal(group);
      if (!reason.empty()) {
        at->second = static_cast<std::ptrdiff_t>(out.size());
        out.push_back({group.family, reason, 0});
      }
    }
    if (at->second >= 0)
      out[static_cast<std::size_t>(at->second)].runs += static_cast<int>(group.inits.size());
  }
  return out;
}

PlanEstimate estimate_plan(const Plan& plan, const Store& store, const Executor& executor,
                           const ExecuteOptions& options) {
  const Pending pending = pending_runs(plan, store, options.retry, options.shard);
  PlanEstimate out;
  out.runs = pending.planned;
  out.stored = pending.stored;
  out.later = pending.later;
  out.refused = refusals(pending, executor);
  std::set<const Family*> refused;
  for (const Refusal& refusal : out.refused) refused.insert(refusal.family.get());
  // A line for each row and data set; its configurations may differ in what a run takes.
  std::map<const Family*, std::pair<PlanEstimate::Line*, double>> of_family;
  std::list<PlanEstimate::Line> lines;  // keeps addresses
  std::map<std::pair<const PlannedDataset*, std::string>, PlanEstimate::Line*> by_place;
  std::set<PlanEstimate::Line*> unknown;  // lines of which some memory is
  double longest = 0;
  for (const RunGroup& group : pending.groups) {
    const Family& family = *group.family;
    if (refused.contains(&family)) continue;
    auto& [line, seconds] = of_family[&family];
    if (line == nullptr) {
      PlanEstimate::Line*& place = by_place[{family.dataset.get(), family.row}];
      if (place == nullptr) {
        place = &lines.emplace_back();
        place->dataset = family.dataset->name;
        place->model = family.row;
      }
      line = place;
      const Store::Cost cost = store.cost(family.id);
      seconds = cost.runs > 0 ? cost.mean_seconds : rough_seconds(family);
      ++line->configurations;
      line->measured += static_cast<int>(cost.runs);
      line->rough = line->rough || cost.runs == 0;
      const std::size_t memory = executor.estimate_memory(group);
      line->memory_bytes = std::max(line->memory_bytes, memory);
      if (memory == 0) unknown.insert(line);
    }
    const auto runs = static_cast<int>(group.inits.size());
    line->seconds_per_run =
        (line->seconds_per_run * line->runs + seconds * runs) / (line->runs + runs);
    line->runs += runs;
    out.seconds += runs * seconds;
    longest = std::max(longest, seconds);
  }
  for (PlanEstimate::Line& line : lines) {
    if (unknown.contains(&line)) line.memory_bytes = 0;
  }
  out.lines.assign(lines.begin(), lines.end());
  const int jobs = options.jobs > 0 ? options.jobs : available_processors();
  out.seconds = std::max(out.seconds / jobs, longest);
  return out;
}

std::size_t free_memory() {
  std::size_t free = std::numeric_limits<std::size_t>::max();
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    std::size_t kilobytes = 0;
    if (fields >> name >> kilobytes && name == "MemAvailable:") free = kilobytes * 1024;
  }
  const auto group = [&](const char* limit_file, const char* use_file) {
    const std::size_t limit = read_number(limit_file), use = read_number(use_file);
    if (limit == std::numeric_limits<std::size_t>::max() || limit < use) return;
    free = std::min(free, limit - use);
  };
  group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
  group("/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes");
  // Where nothing can be learned, assume a small machine.
  return free == std::numeric_limits<std::size_t>::max() ? std::size_t{2} << 30 : free;
}

}  // namespace cupel
