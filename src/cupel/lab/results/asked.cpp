#include "cupel/lab/results/asked.h"

#include <algorithm>

namespace cupel {

void AskedRuns::add(int splits, int inits) {
  if (splits <= 0 || inits <= 0) return;
  int& own = inits_[splits];
  const auto above = inits_.upper_bound(splits);
  own = std::max({own, inits, above == inits_.end() ? 0 : above->second});
  for (auto below = inits_.begin(); below->first != splits; ++below)
    below->second = std::max(below->second, own);
}

AskedRuns AskedRuns::of_inits(int first, int end) const {
  AskedRuns out = *this;
  out.first_ = std::max(first_, first);
  out.end_ = std::min(end_, end);
  return out;
}

int AskedRuns::inits_on(int split) const {
  const auto found = inits_.upper_bound(split);
  return found == inits_.end() ? 0 : std::min(found->second, end_);
}

bool AskedRuns::contains(const RunPlace& place) const {
  return place.first >= 0 && place.second >= first_ && place.second < inits_on(place.first);
}

std::int64_t AskedRuns::count() const {
  std::int64_t out = 0;
  int before = 0;
  for (const auto& [splits, inits] : inits_) {
    out += std::int64_t{splits - before} * std::max(0, std::min(inits, end_) - first_);
    before = splits;
  }
  return out;
}

std::set<RunPlace> AskedRuns::stand_in(const std::vector<Candidate>& candidates) const {
  std::set<RunPlace> out;
  std::set<int> splits;
  for (const Candidate& candidate : candidates) {
    for (const auto& [place, score] : candidate.scores) {
      out.insert(place);
      splits.insert(place.first);
    }
  }
  // A split that nobody has a run on may be the one where something is missing.
  int free = 0;
  while (splits.contains(free)) ++free;
  splits.insert(free);
  for (const int split : splits) {
    RunPlace missing(split, first_);
    while (out.contains(missing)) ++missing.second;
    if (contains(missing)) out.insert(missing);
  }
  return out;
}

}  // namespace cupel
