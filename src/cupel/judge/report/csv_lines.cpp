#include "cupel/judge/report/csv_lines.h"

#include <algorithm>

#include "cupel/judge/report/frames.h"

namespace cupel {
namespace {

// The first cell of a score's model and data set.
std::size_t cell_of(const ReportTable& table, const EventScore& score) {
  const auto found = std::ranges::find_if(table.cells, [&](const Cell& cell) {
    return cell.model == score.model && cell.column.dataset == score.dataset;
  });
  return static_cast<std::size_t>(found - table.cells.begin());
}

}  // namespace

// Rows of the frame are in the order of tables, and of cells or scores in them.
CsvLines csv_lines(const Report& report) {
  const Frame frame = cells_frame(report);
  CsvLines out{csv_header(frame), {}};
  const bool of_events = is_of_events(report);
  for (std::size_t t = 0; t < report.tables.size(); ++t) {
    const ReportTable& table = report.tables[t];
    const std::size_t rows = of_events ? table.event_scores.size() : table.cells.size();
    for (std::size_t i = 0; i < rows; ++i)
      out.lines.push_back({t, of_events ? cell_of(table, table.event_scores[i]) : i,
                           csv_line(frame, out.lines.size())});
  }
  return out;
}

}  // namespace cupel
