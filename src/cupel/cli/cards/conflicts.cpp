#include "cupel/cli/cards/conflicts.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "cupel/cli/text.h"

namespace cupel::cli {
namespace {

constexpr std::size_t kMostShown = 20;

std::string side_text(const ConflictSide& side, const std::string& store) {
  const auto& [run, stores] = side;
  return fmt::format(
      "{}, {}, in {}",
      run.test_score ? fmt::format("test score {}", *run.test_score)
                     : std::string(to_text(run.status)),
      counted(run.epochs, "epoch"),
      stores.empty() ? store + " before" : fmt::format("{}", fmt::join(stores, ", ")));
}

}  // namespace

std::vector<std::string> conflict_lines(const std::vector<StoredConflict>& conflicts,
                                        const std::string& store) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(conflicts.size(), kMostShown); ++i) {
    out.push_back("  run " + conflicts[i].id);
    for (const ConflictSide& side : conflicts[i].sides)
      out.push_back("    " + side_text(side, store));
  }
  if (conflicts.size() > kMostShown)
    out.push_back(fmt::format("  and {} more (--json lists all)", conflicts.size() - kMostShown));
  return out;
}

}  // namespace cupel::cli
