#include "cupel/lab/plan/at_hand.h"

#include <fmt/ranges.h>

#include <functional>
#include <optional>
#include <utility>

#include "cupel/base/error.h"
#include "cupel/base/names.h"
#include "cupel/lab/plan/selection.h"
#include "cupel/lab/plan/strata.h"
#include "cupel/learn/task_kind.h"

namespace cupel {
namespace {

// Takes away tables whose groups of nodes need what is not there.
void leave_out_tables(const Protocol& protocol, const std::vector<std::string>& datasets,
                      const std::function<std::optional<Absent>(const std::string&)>& absent_of,
                      AtHand& out) {
  std::vector<std::string> kept;
  bool all = true;
  for (const TableSpec* table : wanted_tables(protocol, out.selection)) {
    std::vector<std::string> needed;
    for (const std::string& name : table->datasets) {
      const auto graph = stratum_graph(protocol, *table, name);
      if (!graph || !has_name(datasets, name)) continue;
      if (auto absent = absent_of(*graph)) {
        needed.push_back(*graph);
        out.absent.push_back(std::move(*absent));
      }
    }
    if (needed.empty()) {
      kept.push_back(table->id);
      continue;
    }
    all = false;
    out.left_out.push_back(
        fmt::format("table {}, which needs {}", table->id, fmt::join(needed, " and ")));
  }
  if (all) return;
  if (kept.empty())
    fail("nothing is left without {}: {}", fmt::join(out.left_out, ", "), ways_out(out.absent));
  out.selection.tables = std::move(kept);
}

}  // namespace

AtHand at_hand(const Protocol& protocol, const Selection& selection, const PlanSources& sources) {
  check_selection(protocol, selection);
  AtHand out;
  out.selection = selection;
  const Unit unit = find_task_kind(protocol.task)->unit;
  const auto absent_of = [&](const std::string& name) {
    return sources.absent ? sources.absent(protocol.reference(name), unit) : std::nullopt;
  };
  std::vector<std::string> there;
  for (const std::string& name : wanted_datasets(protocol, selection)) {
    if (auto absent = absent_of(name)) {
      out.left_out.push_back(name);
      out.absent.push_back(std::move(*absent));
    } else {
      there.push_back(name);
    }
  }
  if (there.empty())
    fail("none of the data sets is at hand ({}): {}", fmt::join(out.left_out, ", "),
         ways_out(out.absent));
  leave_out_tables(protocol, there, absent_of, out);
  if (!out.absent.empty()) out.selection.datasets = std::move(there);
  return out;
}

std::string left_out_text(const AtHand& at_hand) {
  if (at_hand.absent.empty()) return "";
  return fmt::format("not at hand, and left out: {}; {}", fmt::join(at_hand.left_out, ", "),
                     ways_out(at_hand.absent));
}

}  // namespace cupel
