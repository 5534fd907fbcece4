// What a report says of programs that were not kept apart.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cupel/judge/report/build.h"

namespace cupel::report {

bool is_not_isolated(const RunRecord& record) { return record.isolation == "none"; }

std::string isolation_note(const TableResults& table) {
  std::vector<std::string> rows;  // in the order of the cells
  std::map<std::string, std::vector<std::string>> datasets;
  for (const CellResults& cell : table.cells) {
    const bool any = std::any_of(cell.runs.begin(), cell.runs.end(),
                                 [](const PlacedRun& run) { return is_not_isolated(run.record); });
    if (!any) continue;
    if (!datasets.contains(cell.model)) rows.push_back(cell.model);
    auto& known = datasets[cell.model];
    if (std::find(known.begin(), known.end(), cell.dataset) == known.end())
      known.push_back(cell.dataset);
  }
  if (rows.empty()) return "";
  for (std::string& row : rows) row += fmt::format(" ({})", fmt::join(datasets[row], ", "));
  return fmt::format(
      "These models were not isolated, so that nothing kept them from reading test labels: {}.",
      fmt::join(rows, ", "));
}

}  // namespace cupel::report
