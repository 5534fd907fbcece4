// Comma-separated values after RFC 4180 (line ends are \n), one row per cell, fixed columns;
// reports with choices or readings have more of them behind these, and those with programs that
// were not isolated a last one.
//
// Numbers are the shortest text that reads back as the same double; scores are in percent. A number
// that is not known is an empty field.
//
// Facts over time have rows of their own: one per score of a model, relation and group of facts.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/csv.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

// With a comma before each field.
std::string choice_fields(const Cell& cell) {
  if (!cell.choice) return ",,,,,";
  const CellChoice& choice = *cell.choice;
  return fmt::format(",{},{},{},{},{}", csv_field(choice.chosen), choice.by, choice.complete,
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

bool has_not_isolated(const Report& report) {
  return std::any_of(report.tables.begin(), report.tables.end(), [](const ReportTable& table) {
    return std::any_of(table.cells.begin(), table.cells.end(),
                       [](const Cell& cell) { return cell.not_isolated > 0; });
  });
}

bool is_of_events(const Report& report) {
  return std::any_of(report.tables.begin(), report.tables.end(),
                     [](const ReportTable& table) { return !table.event_scores.empty(); });
}

// Facts over time: one row per score, of every relation and group.
std::string render_events(const Report& report) {
  std::string text = "dataset,model,setting,filter,relation,group,metric,value,n\n";
  for (const ReportTable& table : report.tables) {
    for (const EventScore& score : table.event_scores)
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_field(score.dataset),
                          csv_field(score.model), csv_field(score.setting), csv_field(score.filter),
                          csv_field(score.relation), csv_field(score.group),
                          csv_field(score.metric), csv_number(score.value), score.questions);
  }
  return text;
}

std::string render_csv(const Report& report, const Results&) {
  if (is_of_events(report)) return render_events(report);
  std::string text =
      "protocol,table,dataset,model,metric,mean,sd,n,expected_n,published_mean,"
      "published_spread,spread_kind,gap,verdict";
  const bool choices = has_choices(report);
  if (choices)
    text +=
        ",configuration,chosen_by,complete_configurations,asked_configurations,"
        "protocol_configurations,printed";
  text += ",gap_low,gap_high,smallest_delta,detectable_gap,look,looks,p,p_corrected";
  const bool apart = has_not_isolated(report);
  text += apart ? ",not_isolated\n" : "\n";
  for (const ReportTable& table : report.tables) {
    for (const Cell& cell : table.cells) {
      const std::string& kind =
          cell.spread_kind.empty() ? cell.published_spread_kind : cell.spread_kind;
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}", csv_field(report.protocol),
                          csv_field(table.id), csv_field(cell.column.dataset),
                          csv_field(cell.model), csv_field(cell.column.measure.word()),
                          csv_number(cell.mean), csv_number(cell.sd), cell.n, cell.expected_n,
                          csv_number(cell.published_mean), csv_number(cell.published_spread),
                          csv_field(kind), csv_number(cell.gap), to_text(cell.verdict));
      if (choices) text += choice_fields(cell) + "," + csv_field(printed_of(table, cell));
      const auto end = [&](double Interval::*side) {
        return cell.gap_interval ? csv_number((*cell.gap_interval).*side) : "";
      };
      text += fmt::format(",{},{},{},{}", end(&Interval::low), end(&Interval::high),
                          csv_number(cell.smallest_delta), csv_number(cell.detectable_gap));
      text += cell.looks > 0 ? fmt::format(",{},{}", cell.look, cell.looks) : ",,";
      text += fmt::format(",{},{}", csv_number(cell.p), csv_number(cell.p_corrected));
      text += apart ? fmt::format(",{}\n", cell.not_isolated) : "\n";
    }
  }
  return text;
}

}  // namespace

extern const Format format_csv;
const Format format_csv = {"csv", "csv", "one row per cell, full precision", render_csv};

}  // namespace cupel
