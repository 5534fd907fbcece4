#include "cupel/judge/report/hub.h"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "cupel/judge/report/yaml.h"

namespace cupel::report {

std::vector<ModelCells> cells_by_model(const Report& report) {
  std::vector<ModelCells> out;
  for (const ReportTable& table : report.tables) {
    if (table.kind != "scores") continue;
    for (const Cell& cell : table.cells) {
      auto found = std::ranges::find(out, cell.model, &ModelCells::model);
      if (found == out.end()) found = out.insert(out.end(), {cell.model, {}});
      found->cells.emplace_back(&table, &cell);
    }
  }
  return out;
}

std::string mean_words(const Cell& cell) {
  const Measure& measure = cell.column.measure;
  return fmt::format("Test {}, mean of {} run{}",
                     in_unit(measure_words(measure), scale_of(measure)), cell.n,
                     cell.n == 1 ? "" : "s");
}

std::string comments_on_missing(const ModelCells& row) {
  std::string out;
  for (const auto& [table, cell] : row.cells) {
    const std::string trouble = cell->mean ? "" : trouble_text(*cell);
    if (!trouble.empty())
      out += fmt::format("# {} on {}: no run has a score; {}\n", yaml_quoted(row.model),
                         yaml_quoted(cell->column.dataset), trouble);
  }
  return out;
}

}  // namespace cupel::report
