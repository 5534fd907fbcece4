#include "cupel/judge/leaderboard/contradictions.h"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/base/words.h"
#include "cupel/lab/store/store_rows.h"

namespace cupel {

void Contradictions::add(std::size_t source, const std::string& family,
                         std::vector<StoredRun> runs) {
  for (StoredRun& run : runs) {
    if (!is_finished(run.record.status)) continue;
    Endings& endings = families_[family][{run.split, run.init}];
    auto same = std::ranges::find_if(
        endings, [&](const Ending& one) { return same_outcome(one.record, run.record); });
    if (same == endings.end()) {
      // Large, and no part of an outcome.
      run.record.identity = {};
      run.record.message = {};
      same = endings.insert(endings.end(), {std::move(run.record), {}});
    }
    same->sources.insert(source);
  }
}

const Contradictions::Ending* Contradictions::decided(const Endings& endings,
                                                      const std::vector<BoardSource>& sources) {
  if (endings.size() < 2) return nullptr;
  // A source that keeps both sides does not say which of them came out.
  const auto sides = [&](std::size_t source) {
    return std::ranges::count_if(endings,
                                 [&](const Ending& one) { return one.sources.contains(source); });
  };
  for (const Ending& ending : endings)
    for (const std::size_t source : ending.sources)
      if (sources[source].reproduced.contains(ending.record.id) && sides(source) == 1)
        return &ending;
  return nullptr;
}

void Contradictions::refute(std::vector<BoardSource>& sources) const {
  struct Refutal {
    std::int64_t runs = 0;
    std::string first, by;  // a run, and a source for which it was done again
  };
  std::map<std::size_t, Refutal> refuted;
  for (const auto& [family, runs] : families_) {
    for (const auto& [place, endings] : runs) {
      const Ending* const right = decided(endings, sources);
      if (right == nullptr) continue;
      for (const Ending& ending : endings) {
        for (const std::size_t source : ending.sources) {
          if (right->sources.contains(source)) continue;
          // Said already where it was done again for this source, too.
          if (!sources[source].refuted.insert(ending.record.id).second) continue;
          Refutal& all = refuted[source];
          if (++all.runs > 1) continue;
          all.first = ending.record.id;
          for (const std::size_t by : right->sources)
            if (sources[by].reproduced.contains(all.first)) all.by = sources[by].name;
        }
      }
    }
  }
  for (const auto& [source, all] : refuted)
    sources[source].problems.push_back(fmt::format(
        "{} of it did not come out here as it says, but as another store does (run {} as {} says)",
        counted(all.runs, "run"), all.first, all.by));
}

std::set<KeptFamily> Contradictions::found(const std::vector<BoardSource>& sources) const {
  const auto stands = [&](std::size_t source) { return holds(sources[source]); };
  std::set<KeptFamily> out;
  for (const auto& [family, runs] : families_) {
    for (const auto& [place, endings] : runs) {
      if (decided(endings, sources) != nullptr) continue;
      const auto told = std::ranges::count_if(
          endings, [&](const Ending& one) { return std::ranges::any_of(one.sources, stands); });
      if (told < 2) continue;
      for (const Ending& ending : endings)
        for (const std::size_t source : ending.sources)
          if (stands(source)) out.emplace(family, source);
    }
  }
  return out;
}

}  // namespace cupel
