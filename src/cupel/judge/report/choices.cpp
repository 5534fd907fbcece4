// What is to be said of cells whose configuration was chosen from several.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "cupel/judge/report/build.h"

namespace cupel::report {
namespace {

// The rows of which `text` says something, each with what it says: "gcn (1 of 5)", or cell by cell
// where it is not the same on all data sets.
std::vector<std::string> told(
    const ReportTable& table,
    const std::function<std::optional<std::string>(const CellChoice&)>& text) {
  std::vector<std::string> out;
  for (const std::string& model : table.models) {
    std::vector<std::pair<std::string, std::optional<std::string>>> said;
    for (const Cell& cell : table.cells) {
      if (cell.model != model || !cell.choice) continue;
      const bool seen = std::any_of(said.begin(), said.end(), [&](const auto& s) {
        return s.first == cell.column.dataset;  // two cells of one choice, where scores are split
      });
      if (!seen) said.emplace_back(cell.column.dataset, text(*cell.choice));
    }
    if (said.empty()) continue;
    const bool same = std::all_of(said.begin(), said.end(),
                                  [&](const auto& s) { return s.second == said.front().second; });
    const auto with = [](const std::string& name, const std::string& what) {
      return what.empty() ? name : fmt::format("{} ({})", name, what);
    };
    if (same) {
      if (said.front().second) out.push_back(with(model, *said.front().second));
      continue;
    }
    for (const auto& [dataset, what] : said) {
      if (what) out.push_back(with(fmt::format("{} on {}", model, dataset), *what));
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> choice_notes(const ReportTable& table) {
  using Text = std::optional<std::string>;
  std::vector<std::string> notes;
  const auto note = [&](const std::string& sentence, const std::vector<std::string>& rows) {
    if (!rows.empty()) notes.push_back(fmt::format("{}: {}.", sentence, fmt::join(rows, ", ")));
  };
  note("Settings chosen by the mean validation score over the runs of a cell, the first of equals",
       told(table, [](const CellChoice& c) { return c.by == "valid-score" ? Text("") : Text(); }));
  note("Settings chosen on each split by its mean validation score, the last of equals",
       told(table, [](const CellChoice& c) {
         return c.by == "valid-score-by-split" ? Text("") : Text();
       }));
  note(
      "Settings chosen by the mean test score itself, as released scripts did, which is "
      "optimistic",
      told(table, [](const CellChoice& c) { return c.by == "test-score" ? Text("") : Text(); }));
  note("Chosen from a part of the protocol's configurations", told(table, [](const CellChoice& c) {
         const auto asked = static_cast<int>(c.configurations.size());
         return asked < c.grid ? Text(fmt::format("{} of {}", asked, c.grid)) : Text();
       }));
  note("Chosen among the configurations that have all their runs",
       told(table, [](const CellChoice& c) {
         const auto asked = static_cast<int>(c.configurations.size());
         return c.complete > 0 && c.complete < asked
                    ? Text(fmt::format("{} of {}", c.complete, asked))
                    : Text();
       }));
  note("No configuration has all its runs; chosen, for the time being, on those that all have",
       told(table, [](const CellChoice& c) {
         return c.complete == 0 && !c.chosen.empty() ? Text(fmt::format("{} each", c.compared))
                                                     : Text();
       }));
  note("No configuration has all its runs, and none can be chosen yet",
       told(table, [](const CellChoice& c) { return c.chosen.empty() ? Text("") : Text(); }));
  return notes;
}

}  // namespace cupel::report
