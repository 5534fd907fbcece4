// What of a plan is left to do.
#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "cupel/lab/run/identity.h"
#include "cupel/lab/run/plan.h"
#include "cupel/lab/run/store.h"

namespace cupel {
namespace {

// What all cells of a plan ask of one family.
struct Asked {
  std::shared_ptr<const Family> family;
  std::map<int, int> inits;      // split number -> the first so many
  std::set<std::string> strata;  // ids
};

std::vector<Asked> asked_of(const Plan& plan) {
  std::vector<Asked> asked;  // in the order of the plan
  std::map<std::string, std::size_t> by_family;
  for (const PlannedCell& cell : plan.cells) {
    const auto [found, fresh] = by_family.emplace(cell.family->id, asked.size());
    if (fresh) asked.push_back({cell.family, {}, {}});
    Asked& entry = asked[found->second];
    const int inits = cell.family->model.deterministic ? std::min(cell.inits, 1) : cell.inits;
    for (int s = 0; s < cell.splits; ++s) {
      int& most = entry.inits[cell.first_split + s];
      most = std::max(most, inits);
    }
    if (cell.stratum) entry.strata.insert(cell.stratum->id);
  }
  return asked;
}

// By prepared data set: every stratum that the plan asks for on it. All runs on it are split by
// all of them, since that costs nothing once there are scores.
using StrataByData = std::map<const PlannedDataset*, std::vector<std::shared_ptr<const Stratum>>>;

StrataByData strata_of(const Plan& plan) {
  StrataByData out;
  for (const PlannedCell& cell : plan.cells) {
    if (!cell.stratum) continue;
    auto& list = out[cell.family->dataset.get()];
    const bool known = std::any_of(list.begin(), list.end(),
                                   [&](const auto& s) { return s->id == cell.stratum->id; });
    if (!known) list.push_back(cell.stratum);
  }
  return out;
}

bool in_shard(const Family& family, int split, Shard shard) {
  if (shard.count <= 1) return true;
  // By hash, so that every shard gets its share of every model and data set.
  const std::string hash = identity_hash(run_identity(family.identity, split, 0));
  unsigned long long value = 0;
  std::from_chars(hash.data(), hash.data() + 15, value, 16);
  return static_cast<int>(value % static_cast<unsigned long long>(shard.count)) == shard.index;
}

}  // namespace

Pending pending_runs(const Plan& plan, const Store& store, bool retry, Shard shard) {
  Pending out;
  StrataByData strata = strata_of(plan);
  std::map<int, std::vector<RunGroup>> by_split;
  for (const Asked& entry : asked_of(plan)) {
    const auto statuses = store.statuses(entry.family->id);
    const auto unsplit = store.without_strata(entry.family->id, entry.strata);
    for (const auto& [number, inits] : entry.inits) {
      if (!in_shard(*entry.family, number, shard)) continue;
      RunGroup group{entry.family, number, {}, strata[entry.family->dataset.get()]};
      for (int init = 0; init < inits; ++init) {
        ++out.planned;
        const auto known = statuses.find({number, init});
        const bool there = known != statuses.end() && !unsplit.contains({number, init}) &&
                           !(retry && (known->second == RunStatus::kFailed ||
                                       known->second == RunStatus::kTimeout));
        if (there) {
          ++out.stored;
        } else {
          group.inits.push_back(init);
        }
      }
      if (!group.inits.empty()) by_split[group.split].push_back(std::move(group));
    }
  }
  for (auto& [split, groups] : by_split)
    std::move(groups.begin(), groups.end(), std::back_inserter(out.groups));
  return out;
}

}  // namespace cupel
