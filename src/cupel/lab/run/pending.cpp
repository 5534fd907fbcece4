// What of a plan is left to do.
#include <algorithm>
#include <map>
#include <set>

#include "cupel/lab/run/cost.h"
#include "cupel/lab/run/plan.h"
#include "cupel/lab/run/shards.h"
#include "cupel/lab/run/store.h"

namespace cupel {
namespace {

using RunPlace = std::pair<int, int>;  // split, init

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

bool went_wrong(RunStatus status) {
  return status == RunStatus::kFailed || status == RunStatus::kTimeout;
}

// A range of inits of one family on one split.
struct Share {
  const Asked* asked;
  int split, first, count;
};

// What of all that is asked is this shard's. The store has no say in it, so that the shards agree
// wherever they are done.
std::vector<Share> shares_of(const std::vector<Asked>& asked, Shard shard) {
  std::vector<Share> all;
  std::vector<ShardUnit> units;
  for (const Asked& entry : asked) {
    const std::uint64_t work = shard.count > 1 ? rough_work(*entry.family) : 1;
    for (const auto& [number, inits] : entry.inits) {
      all.push_back({&entry, number, 0, inits});
      units.push_back({entry.family->id, number, inits, work});
    }
  }
  if (shard.count <= 1) return all;
  std::vector<Share> out;
  for (const ShardPart& part : shard_parts(units, shard.index, shard.count))
    out.push_back({all[part.unit].asked, all[part.unit].split, part.first, part.count});
  return out;
}

}  // namespace

Pending pending_runs(const Plan& plan, const Store& store, bool retry, Shard shard) {
  Pending out;
  StrataByData strata = strata_of(plan);
  std::map<int, std::vector<RunGroup>> by_split;
  const std::vector<Asked> asked = asked_of(plan);
  const Asked* last = nullptr;
  std::map<RunPlace, RunStatus> statuses;
  std::set<RunPlace> unsplit;
  for (const Share& share : shares_of(asked, shard)) {
    const auto& family = share.asked->family;
    if (share.asked != last) {
      statuses = store.statuses(family->id);
      unsplit = store.without_strata(family->id, share.asked->strata);
      last = share.asked;
    }
    // Parts of one unit are one group.
    auto& groups = by_split[share.split];
    if (groups.empty() || groups.back().family != family)
      groups.push_back({family, share.split, {}, strata[family->dataset.get()]});
    for (int init = share.first; init < share.first + share.count; ++init) {
      ++out.planned;
      const auto known = statuses.find({share.split, init});
      const bool wrong = known != statuses.end() && went_wrong(known->second);
      const bool there =
          known != statuses.end() && !unsplit.contains({share.split, init}) && !(retry && wrong);
      if (there) {
        ++out.stored;
        out.failed += wrong;
      } else {
        groups.back().inits.push_back(init);
      }
    }
    if (groups.back().inits.empty()) groups.pop_back();
  }
  for (auto& [split, groups] : by_split)
    std::move(groups.begin(), groups.end(), std::back_inserter(out.groups));
  return out;
}

}  // namespace cupel
