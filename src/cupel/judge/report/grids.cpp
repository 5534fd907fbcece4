// Tables of text beside the tables of numbers.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/event_scores.h"
#include "cupel/judge/report/print.h"

namespace cupel::report {
namespace {

std::string configuration_text(const Cell& cell) {
  if (!cell.choice) return "";
  const CellChoice& choice = *cell.choice;
  const auto asked = static_cast<int>(choice.configurations.size());
  if (choice.chosen.empty()) return "–";
  if (choice.complete < asked)
    return fmt::format("{} ({} of {})", choice.chosen, choice.complete, asked);
  return choice.chosen;
}

std::string or_dash(const std::string& text) { return text.empty() ? "–" : text; }

std::string score_text(const Cell& cell) {
  std::string out = or_dash(mean_text(cell));
  if (!runs_text(cell).empty()) out += fmt::format(" [{}]", runs_text(cell));
  return out;
}

}  // namespace

Grid choices_grid(const ReportTable& table) {
  Grid grid;
  grid.title = "Configurations chosen, table " + table.id;
  if (table.kind != "scores") return grid;
  const View view = view_of(table);
  // Where scores are split, the cells of a data set have one choice.
  std::vector<std::size_t> columns;
  for (const std::size_t c : view.columns) {
    const bool seen = std::any_of(columns.begin(), columns.end(), [&](std::size_t other) {
      return !table.strata.empty() && table.columns[other].dataset == table.columns[c].dataset;
    });
    if (!seen) columns.push_back(c);
  }
  grid.head.push_back("model");
  for (const std::size_t c : columns) grid.head.push_back(table.columns[c].dataset);
  for (const std::size_t r : view.rows) {
    Grid::Row row;
    row.cells.push_back(table.models[r]);
    bool any = false;
    for (const std::size_t c : columns) {
      row.cells.push_back(configuration_text(table.cell(r, c)));
      any = any || table.cell(r, c).choice;
    }
    if (any) grid.rows.push_back(std::move(row));
  }
  return grid;
}

Grid readings_grid(const ReportTable& table) {
  Grid grid;
  grid.head = {"model", "published", "as designed", "gap", "as released", "gap", "printed"};
  const Column* section = nullptr;
  for (const Reading& reading : table.readings) {
    if (section == nullptr || !(*section == reading.column)) {
      section = &reading.column;
      grid.rows.push_back(
          {{fmt::format("{}, {}", reading.column.dataset, measure_words(reading.column.measure))},
           true});
    }
    const Cell& designed = *table.find(reading.designed, reading.column);
    const Cell& released = *table.find(reading.released, reading.column);
    grid.rows.push_back(
        {{reading.designed, or_dash(published_text(designed)), score_text(designed),
          or_dash(gap_text(designed)), score_text(released), or_dash(gap_text(released)),
          reading.printed == "not published" ? "–" : reading.printed},
         false});
  }
  grid.note =
      "As designed: the row as its paper describes the model; `cupel show MODEL` names what of the "
      "authors' design is still missing there. As released: what the published run's own code did. "
      "Printed: designed or released, where the published value is equivalent to the one and "
      "different from the other; both: equivalent to either; neither: different from both.";
  return grid;
}

std::vector<Grid> grids_of(const ReportTable& table) {
  std::vector<Grid> out;
  for (Grid grid :
       {choices_grid(table), groups_grid(table), staleness_grid(table), horizon_grid(table)})
    if (!grid.rows.empty()) out.push_back(std::move(grid));
  return out;
}

}  // namespace cupel::report
