// Comma-separated values after RFC 4180 (line ends are \n), one row per cell, fixed columns;
// reports with choices or readings have more of them behind these.
//
// Numbers are the shortest text that reads back as the same double; scores are in percent. A number
// that is not known is an empty field.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

// With a comma before each field.
std::string choice_fields(const Cell& cell) {
  if (!cell.choice) return ",,,,,";
  const CellChoice& choice = *cell.choice;
  return fmt::format(",{},{},{},{},{}", quoted(choice.chosen), choice.by, choice.complete,
                     choice.configurations.size(), choice.grid);
}

// Of a table of readings: which of the two the published value is.
std::string printed_of(const ReportTable& table, const Cell& cell) {
  for (const Reading& reading : table.readings) {
    if (reading.column == cell.column &&
        (reading.designed == cell.model || reading.released == cell.model))
      return reading.printed;
  }
  return "";
}

// Reports without choices and readings do without their columns.
bool has_choices(const Report& report) {
  return std::any_of(report.tables.begin(), report.tables.end(), [](const ReportTable& table) {
    return !table.readings.empty() ||
           std::any_of(table.cells.begin(), table.cells.end(),
                       [](const Cell& cell) { return cell.choice.has_value(); });
  });
}

std::string render_csv(const Report& report, const Results&) {
  std::string text =
      "protocol,table,dataset,model,metric,mean,sd,n,expected_n,published_mean,"
      "published_spread,spread_kind,gap,verdict";
  const bool choices = has_choices(report);
  if (choices)
    text +=
        ",configuration,chosen_by,complete_configurations,asked_configurations,"
        "protocol_configurations,printed";
  text += ",gap_low,gap_high,smallest_delta,detectable_gap,look,looks\n";
  for (const ReportTable& table : report.tables) {
    for (const Cell& cell : table.cells) {
      const std::string& kind =
          cell.spread_kind.empty() ? cell.published_spread_kind : cell.spread_kind;
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{}", quoted(report.protocol), quoted(table.id),
          quoted(cell.column.dataset), quoted(cell.model), quoted(cell.column.metric),
          number(cell.mean), number(cell.sd), cell.n, cell.expected_n, number(cell.published_mean),
          number(cell.published_spread), quoted(kind), number(cell.gap), to_text(cell.verdict));
      if (choices) text += choice_fields(cell) + "," + quoted(printed_of(table, cell));
      const auto end = [&](double Interval::*side) {
        return cell.gap_interval ? number((*cell.gap_interval).*side) : "";
      };
      text += fmt::format(",{},{},{},{}", end(&Interval::low), end(&Interval::high),
                          number(cell.smallest_delta), number(cell.detectable_gap));
      text += cell.looks > 0 ? fmt::format(",{},{}\n", cell.look, cell.looks) : ",,\n";
    }
  }
  return text;
}

}  // namespace

extern const Format format_csv;
const Format format_csv = {"csv", "csv", "one row per cell, full precision", render_csv};

}  // namespace cupel
