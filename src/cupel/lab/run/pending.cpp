#include "cupel/lab/run/pending.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/lab/plan/choose.h"
#include "cupel/lab/plan/cost.h"
#include "cupel/lab/plan/plan.h"
#include "cupel/lab/run/estimate.h"
#include "cupel/lab/run/shards.h"
#include "cupel/lab/store/done.h"
#include "cupel/lab/store/store.h"
#include "cupel/learn/score/metrics.h"

namespace cupel {
namespace {

// What is asked of a family on a split: the first so many inits.
struct AskedInits {
  int now = 0;
  // Whatever the store holds: those that are asked for in any case, and those that may be, if the
  // configuration is the chosen one of so many.
  int certain = 0, possible = 0, choices = 1;
};

// What all cells of a plan ask of one family.
struct Asked {
  std::shared_ptr<const Family> family;
  std::map<int, AskedInits> inits;  // by number of the split
  std::set<std::string> strata;     // ids
};

// The configurations of one row on one data set, the runs of which only choose.
struct Choosing {
  std::vector<const PlannedCell*> cells;
  std::vector<Candidate> candidates;
  std::set<RunPlace> runs;
  std::set<int> undone;  // splits on which some of these are still to do
};

Choosing choosing_of(const std::vector<const PlannedCell*>& cells, const Store& store, bool retry) {
  Choosing out{cells, {}, {}, {}};
  const auto kind =
      cells.front()->choose_by == "test-score" ? Store::ScoreKind::kTest : Store::ScoreKind::kValid;
  for (int split = 0; split < cells.front()->splits; ++split)
    for (int init = 0; init < cells.front()->select_inits; ++init) out.runs.insert({split, init});
  for (const PlannedCell* cell : cells) {
    const auto scores = store.scores(cell->family->id, kind);
    const DoneRuns done(store, cell->family->id, {}, retry);
    Candidate candidate{cell->configuration, {}};
    for (const RunPlace& place : out.runs) {
      const RunPlace stored(cell->first_split + place.first,
                            cell->family->stored_init(place.second));
      if (done.state(stored.first, stored.second) == DoneRuns::State::kToDo)
        out.undone.insert(place.first);
      const auto found = scores.find(stored);
      if (found != scores.end()) candidate.scores[place] = found->second;
    }
    out.candidates.push_back(std::move(candidate));
  }
  return out;
}

// What has been chosen: by place of the split, the configuration whose other runs are asked for.
std::map<int, const PlannedCell*> chosen_of(const Choosing& of) {
  std::map<int, const PlannedCell*> out;
  const MetricScale scale = scale_of_metric(of.cells.front()->family->metric);
  if (of.cells.front()->choose_by == "valid-score-by-split") {
    for (const auto& [split, index] : choose_by_split(of.candidates, of.runs, scale))
      out[split] = of.cells[index];
    return out;
  }
  // A configuration that is still without runs may yet turn out the best.
  if (!of.undone.empty()) return out;
  const Chosen chosen = choose(of.candidates, of.runs, scale);
  if (chosen.index < 0) return out;
  for (int split = 0; split < of.cells.front()->splits; ++split)
    out[split] = of.cells[static_cast<std::size_t>(chosen.index)];
  return out;
}

// By cell some of whose inits only choose: on which splits it is the chosen one. `later` counts the
// runs of splits on which it is too early to tell.
std::map<const PlannedCell*, std::set<int>> assessed_of(const Plan& plan, const Store& store,
                                                        bool retry, int& later) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const PlannedCell*>> rows;
  for (const PlannedCell& cell : plan.cells)
    if (cell.select_inits > 0) rows[{cell.table, cell.dataset, cell.model}].push_back(&cell);
  std::map<const PlannedCell*, std::set<int>> out;
  for (const auto& [name, cells] : rows) {
    const Choosing choosing = choosing_of(cells, store, retry);
    for (const auto& [split, cell] : chosen_of(choosing)) out[cell].insert(split);
    const PlannedCell& first = *cells.front();
    if (first.family->model.deterministic || choosing.undone.empty()) continue;
    const bool by_split = first.choose_by == "valid-score-by-split";
    later += (by_split ? static_cast<int>(choosing.undone.size()) : first.splits) *
             (first.inits - first.select_inits);
  }
  return out;
}

std::vector<Asked> asked_of(const Plan& plan, const Store& store, bool retry, int& later) {
  const auto assessed = assessed_of(plan, store, retry, later);
  std::map<std::tuple<std::string, std::string, std::string>, int> choices;
  for (const PlannedCell& cell : plan.cells) ++choices[{cell.table, cell.dataset, cell.model}];
  std::vector<Asked> asked;  // in the order of the plan
  std::map<std::string, std::size_t> by_family;
  for (const PlannedCell& cell : plan.cells) {
    const auto [found, fresh] = by_family.emplace(cell.family->id, asked.size());
    if (fresh) asked.push_back({cell.family, {}, {}});
    Asked& entry = asked[found->second];
    const auto own = assessed.find(&cell);
    for (int s = 0; s < cell.splits; ++s) {
      const bool all = cell.select_inits == 0 || (own != assessed.end() && own->second.contains(s));
      AskedInits& here = entry.inits[cell.first_split + s];
      const auto raise = [&](int& most, int inits) {
        most = std::max(most, cell.family->model.deterministic ? std::min(inits, 1) : inits);
      };
      raise(here.now, all ? cell.inits : cell.select_inits);
      raise(here.certain, cell.select_inits == 0 ? cell.inits : cell.select_inits);
      raise(here.possible, cell.inits);
      here.choices = choices[{cell.table, cell.dataset, cell.model}];
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

// A range of inits of one family on one split.
struct Share {
  const Asked* asked;
  int split, first, count;
};

// What of all that is asked is this shard's. The store has no say in who does what, so that the
// shards agree wherever they are done.
std::vector<Share> shares_of(const std::vector<Asked>& asked, Shard shard) {
  std::vector<Share> out;
  if (shard.count <= 1) {
    for (const Asked& entry : asked)
      for (const auto& [split, inits] : entry.inits) out.push_back({&entry, split, 0, inits.now});
    return out;
  }
  std::vector<ShardUnit> units;
  std::vector<std::pair<const Asked*, int>> places;  // of the units, with what is asked for now
  for (const Asked& entry : asked) {
    const std::uint64_t work = rough_work(*entry.family);
    for (const auto& [split, inits] : entry.inits) {
      units.push_back({entry.family->id, split, 0, inits.certain, work});
      places.emplace_back(&entry, inits.now);
      if (inits.possible == inits.certain) continue;
      const auto choices = static_cast<std::uint64_t>(std::max(inits.choices, 1));
      units.push_back({entry.family->id, split, inits.certain, inits.possible - inits.certain,
                       std::max<std::uint64_t>(work / choices, 1)});
      places.emplace_back(&entry, inits.now);
    }
  }
  for (const ShardPart& part : shard_parts(units, shard.index, shard.count)) {
    const auto& [entry, now] = places[part.unit];
    const int count = std::min(part.first + part.count, now) - part.first;
    if (count > 0) out.push_back({entry, units[part.unit].split, part.first, count});
  }
  return out;
}

// All that is pending is listed, with some hundred bytes for a run that is alone on its split.
constexpr std::int64_t kMostRuns = 10'000'000;

void refuse_too_many(const Plan& plan) {
  std::int64_t runs = 0;
  for (const PlannedCell& cell : plan.cells) {
    const std::int64_t inits = cell.family->model.deterministic ? 1 : cell.inits;
    runs += cell.splits * std::min(inits, kMostRuns);  // below 2^55
    if (runs > kMostRuns)
      fail(
          "protocol '{}': more than {} are too many to plan ({} on {}: {} with {} each); do a part "
          "of them with --splits N (with --until: --max-splits N) and --inits N",
          plan.protocol, counted(kMostRuns, "run"), cell.model, cell.dataset,
          counted(cell.splits, "split"), counted(inits, "initialisation"));
  }
}

// Sorts runs into those that are there and those to do, split by split.
class Sorting {
 public:
  Sorting(const Plan& plan, const Store& store, bool retry, Pending& out)
      : store_(store), retry_(retry), out_(out), strata_(strata_of(plan)) {}

  // One init of a family on a split; those of a family come one after the other.
  void add(const Asked& asked, int split, int init) {
    if (&asked != last_) {
      known_ = DoneRuns(store_, asked.family->id, asked.strata, retry_);
      last_ = &asked;
    }
    ++out_.planned;
    const DoneRuns::State state = known_.state(split, init);
    if (state != DoneRuns::State::kToDo) {
      ++out_.stored;
      out_.failed += state == DoneRuns::State::kWrong;
      return;
    }
    auto& groups = by_split_[split];
    if (groups.empty() || groups.back().family != asked.family)
      groups.push_back({asked.family, split, {}, strata_[asked.family->dataset.get()]});
    groups.back().inits.push_back(init);
  }

  // Within a split the longest first, so that at the end nobody waits for one of them.
  void finish() {
    for (auto& [split, groups] : by_split_) {
      std::ranges::stable_sort(groups, std::greater<>(),
                               [&](const RunGroup& group) { return seconds_of(group); });
      std::move(groups.begin(), groups.end(), std::back_inserter(out_.groups));
    }
  }

 private:
  double seconds_of(const RunGroup& group) {
    const auto [found, fresh] = seconds_.try_emplace(group.family.get(), 0.0);
    if (fresh) found->second = seconds_of_run(*group.family, store_).mean;
    return found->second * static_cast<double>(group.inits.size());
  }

  const Store& store_;
  const bool retry_;
  Pending& out_;
  StrataByData strata_;
  DoneRuns known_;
  const Asked* last_ = nullptr;  // whose runs are known
  std::map<int, std::vector<RunGroup>> by_split_;
  std::map<const Family*, double> seconds_;  // of a run
};

// `choosing_again`: whether runs that went wrong are done again before anything is chosen.
Pending pending_of(const Plan& plan, const Store& store, bool retry, bool choosing_again,
                   Shard shard) {
  refuse_too_many(plan);
  Pending out;
  const std::vector<Asked> asked = asked_of(plan, store, choosing_again, out.later);
  Sorting sorting(plan, store, retry, out);
  for (const Share& share : shares_of(asked, shard)) {
    for (int init = share.first; init < share.first + share.count; ++init)
      sorting.add(*share.asked, share.split, init);
  }
  sorting.finish();
  return out;
}

}  // namespace

Pending pending_runs(const Plan& plan, const Store& store, bool retry, Shard shard) {
  return pending_of(plan, store, retry, retry, shard);
}

Pending pending_after(const Pending& first, const Plan& plan, const Store& store, bool retry,
                      Shard shard) {
  std::set<std::tuple<const Family*, int, int>> tried;
  for (const RunGroup& group : first.groups)
    for (const int init : group.inits) tried.emplace(group.family.get(), group.split, init);
  Pending out = pending_of(plan, store, retry, false, shard);
  for (RunGroup& group : out.groups)
    std::erase_if(group.inits, [&](int init) {
      return tried.contains({group.family.get(), group.split, init});
    });
  std::erase_if(out.groups, [](const RunGroup& group) { return group.inits.empty(); });
  return out;
}

Pending pending_runs(const Plan& plan, const Store& store, const std::vector<ListedRuns>& listed,
                     bool retry) {
  Pending out;
  std::map<std::string, Asked> families;
  for (const PlannedCell& cell : plan.cells) {
    Asked& entry = families[cell.family->id];
    entry.family = cell.family;
    if (cell.stratum) entry.strata.insert(cell.stratum->id);
  }
  Sorting sorting(plan, store, retry, out);
  for (const ListedRuns& runs : listed)
    for (const int init : runs.inits) sorting.add(families.at(runs.family), runs.split, init);
  sorting.finish();
  return out;
}

}  // namespace cupel
