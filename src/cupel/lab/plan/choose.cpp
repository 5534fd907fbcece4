#include "cupel/lab/plan/choose.h"

#include <algorithm>

namespace cupel {
namespace {

bool has_all(const Candidate& candidate, const std::set<RunPlace>& runs) {
  return std::all_of(runs.begin(), runs.end(),
                     [&](const RunPlace& run) { return candidate.scores.contains(run); });
}

// The asked runs that every candidate with any of them has.
std::set<RunPlace> common_runs(const std::vector<Candidate>& candidates,
                               const std::set<RunPlace>& asked) {
  std::set<RunPlace> common;
  for (const RunPlace& run : asked) {
    bool all = true, any = false;
    for (const Candidate& candidate : candidates) {
      const bool begun = std::any_of(asked.begin(), asked.end(), [&](const RunPlace& other) {
        return candidate.scores.contains(other);
      });
      if (!begun) continue;
      any = true;
      all = all && candidate.scores.contains(run);
    }
    if (any && all) common.insert(run);
  }
  return common;
}

}  // namespace

Chosen choose(const std::vector<Candidate>& candidates, const std::set<RunPlace>& asked,
              const MetricScale& scale) {
  Chosen out;
  bool any = false;
  for (const Candidate& candidate : candidates) {
    out.complete.push_back(!asked.empty() && has_all(candidate, asked));
    any = any || out.complete.back();
  }
  out.compared = any ? asked : common_runs(candidates, asked);
  out.means.resize(candidates.size());
  if (out.compared.empty()) return out;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!has_all(candidates[i], out.compared)) continue;
    double sum = 0;
    for (const RunPlace& run : out.compared) sum += candidates[i].scores.at(run);
    out.means[i] = sum / static_cast<double>(out.compared.size());
    if (out.index < 0 ||
        scale.is_better(*out.means[i], *out.means[static_cast<std::size_t>(out.index)]))
      out.index = static_cast<int>(i);
  }
  return out;
}

std::map<int, std::size_t> choose_by_split(const std::vector<Candidate>& candidates,
                                           const std::set<RunPlace>& asked,
                                           const MetricScale& scale) {
  std::map<int, std::set<RunPlace>> runs_of;
  for (const RunPlace& run : asked) runs_of[run.first].insert(run);
  std::map<int, std::size_t> out;
  for (const auto& [split, runs] : runs_of) {
    if (!std::ranges::all_of(candidates, [&](const Candidate& c) { return has_all(c, runs); }))
      continue;
    double best = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      double sum = 0;
      for (const RunPlace& run : runs) sum += candidates[i].scores.at(run);
      if (i == 0 || !scale.is_better(best, sum)) {
        best = sum;
        out[split] = i;
      }
    }
  }
  return out;
}

}  // namespace cupel
