#include "cupel/lab/verify/contradictions.h"

#include <algorithm>
#include <utility>

#include "cupel/lab/store/store_rows.h"

namespace cupel {
namespace {

// What a store says of a run: one outcome, or several that contradict each other.
std::vector<RunRecord> said_by(const Store& store, const StoredConflict& run) {
  std::vector<RunRecord> out;
  for (const StoredConflict& other : store.conflicts(run.family))
    if (other.id == run.id) out = other.sides;
  for (const StoredRun& one : store.runs(run.family))
    if (one.split == run.split && one.init == run.init) out.push_back(one.record);
  return out;
}

}  // namespace

std::vector<Contradiction> contradictions(const Store& store, const std::vector<std::string>& ids,
                                          const std::vector<std::string>& sources) {
  if (ids.empty()) return {};
  std::vector<StoredConflict> runs;
  for (StoredConflict& conflict : store.conflicts())
    if (std::ranges::binary_search(ids, conflict.id)) runs.push_back(std::move(conflict));
  std::ranges::sort(runs, {}, &StoredConflict::id);
  std::vector<Contradiction> out;
  for (const StoredConflict& run : runs) {
    out.push_back({run.id, {}});
    for (const RunRecord& record : run.sides) out.back().sides.push_back({record, {}});
  }
  for (const std::string& path : sources) {
    const Store source(path, Store::Mode::kOpen);
    for (std::size_t i = 0; i < runs.size(); ++i)
      for (const RunRecord& said : said_by(source, runs[i]))
        for (ContradictionSide& side : out[i].sides)
          if (same_outcome(side.record, said)) side.stores.push_back(path);
  }
  return out;
}

}  // namespace cupel
