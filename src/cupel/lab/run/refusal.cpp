#include "cupel/lab/run/refusal.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cupel/base/sort_unique.h"
#include "cupel/lab/isolation/isolation.h"
#include "cupel/lab/plan/program.h"
#include "cupel/lab/run/pending.h"

namespace cupel {

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

std::string files_note(const Pending& pending) {
  std::vector<std::string> rows;
  for (const RunGroup& group : pending.groups) {
    if (group.family->may_change_unnoticed()) rows.push_back(group.family->row);
  }
  sort_unique(rows);
  if (rows.empty()) return "";
  return fmt::format("{}: {}", fmt::join(rows, ", "), kNoFiles);
}

std::string isolation_note(const Pending& pending) {
  std::vector<std::string> rows;
  std::string reason;
  for (const RunGroup& group : pending.groups) {
    const Family& family = *group.family;
    // Who hands over a function knows that it runs here.
    if (!family.external || family.function != nullptr) continue;
    if (!isolation_refusal(*family.external).empty()) continue;
    const Isolation found = isolation_of(*family.external);
    if (found.isolates()) continue;
    if (std::find(rows.begin(), rows.end(), family.row) == rows.end()) rows.push_back(family.row);
    reason = found.reason;
  }
  if (rows.empty()) return "";
  return fmt::format(
      "not isolated: {}: {}; {} may read what you may read, test labels among it, and the report "
      "says so",
      fmt::join(rows, ", "), reason, rows.size() == 1 ? "this program" : "these programs");
}

}  // namespace cupel
