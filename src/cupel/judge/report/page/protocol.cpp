// A protocol: its tables with the sentences of the readable formats, and the lines of its CSV.
#include <algorithm>
#include <string_view>

#include "cupel/judge/report/build.h"
#include "cupel/judge/report/csv_lines.h"
#include "cupel/judge/report/page/data.h"
#include "cupel/judge/report/print.h"

namespace cupel::page {
namespace {

using namespace report;

Json grid_json(const Grid& grid) {
  Json rows = Json::array();
  for (const Grid::Row& row : grid.rows)
    rows.push_back({{"cells", texts(row.cells)}, {"section", row.section}});
  return {{"title", text(grid.title)},
          {"head", texts(grid.head)},
          {"rows", rows},
          {"note", text(grid.note)}};
}

Json columns_json(const ReportTable& table) {
  Json out = Json::array();
  for (const Column& column : table.columns) {
    const MetricScale scale = scale_of(column.measure);
    out.push_back({{"dataset", text(column.dataset)},
                   {"text", text(column_text(table, column))},
                   {"measure", text(in_unit(measure_words(column.measure), scale))},
                   {"larger", scale.larger_is_better}});
  }
  return out;
}

// What stands below a table: what marks mean, how it was judged, what is not there.
Json sentences(const ReportTable& table) {
  Json out = Json::array();
  for (const std::string& sentence :
       {tally(table), power_text(table), open_text(table), looks_text(table), diverged_text(table),
        method(table), field_text(table), view_of(table).left_out})
    if (!sentence.empty()) out.push_back(text(sentence));
  for (const std::string& note : table.notes) out.push_back(text(note));
  return out;
}

Json legend_json(const ReportTable& table) {
  Json out = Json::array();
  for (const LegendLine& line : legend(table))
    out.push_back({{"mark", mark_of(line.verdict, line.gap)},
                   {"verdict", static_cast<int>(line.verdict)},
                   {"below", line.gap < 0},
                   {"text", text(line.text)}});
  return out;
}

// The table of results that has the runs of a table's cells, if any has.
const TableResults* runs_of(const Results& results, const ReportTable& table) {
  if (table.kind == "relative") return nullptr;
  const std::string& id = table.kind == "scores" ? table.id : table.source;
  for (const TableResults& source : results.tables)
    if (source.id == id && source.kind == "scores") return &source;
  return nullptr;
}

Json table_json(const Results& results, const ReportTable& table, Identities& identities,
                std::int64_t listed) {
  const TableResults* source = runs_of(results, table);
  const View view = view_of(table);
  Json grids = Json::array(), rows = Json::array();
  for (std::size_t r = 0; r < table.models.size(); ++r) rows.push_back(text(row_text(table, r)));
  if (table.kind != "readings")
    for (const Grid& grid : grids_of(table)) grids.push_back(grid_json(grid));
  Json out = {{"id", text(table.id)},
              {"kind", table.kind},
              {"heading", text(heading(table))},
              {"caption", text(view.columns.empty() ? view.left_out : caption(table))},
              {"columns", columns_json(table)},
              {"models", rows},
              {"shownColumns", view.columns},
              {"shownModels", view.rows},
              {"cells", cells_json(table)},
              {"runs", runs_json(results, table, source, identities, listed)},
              {"against", models_json(table, source)},
              {"legend", legend_json(table)},
              {"sentences", sentences(table)},
              {"grids", grids}};
  if (table.kind == "readings") out["readings"] = grid_json(readings_grid(table));
  return out;
}

// How many characters two lines begin with alike, as far as they are ASCII: a character is then one
// byte here and one unit of the script's strings.
std::size_t shared_beginning(std::string_view a, std::string_view b) {
  std::size_t n = 0;
  while (n < std::min(a.size(), b.size()) && a[n] == b[n] &&
         static_cast<unsigned char>(a[n]) < 0x80)
    ++n;
  return n;
}

// Each line as the number of characters that it begins with as the one before, and the rest: there
// may be thousands, of which most repeat most.
Json csv_json(const Report& report) {
  const CsvLines csv = csv_lines(report);
  Json tables = Json::array(), cells = Json::array(), shared = Json::array(), rests = Json::array();
  std::string_view before;
  for (const CsvLine& line : csv.lines) {
    const std::size_t same = shared_beginning(before, line.text);
    tables.push_back(line.table);
    cells.push_back(line.cell);
    shared.push_back(same);
    // As it is: csv_field() made its names visible.
    rests.push_back(line.text.substr(same));
    before = line.text;
  }
  return {{"header", csv.header},
          {"tables", tables},
          {"cells", cells},
          {"shared", shared},
          {"rests", rests}};
}

}  // namespace

Json protocol_json(const Results& results, Identities& identities, std::int64_t listed,
                   std::span<const CardAudit> audits) {
  const Report report = make_report(results);
  Json verdicts = Json::array();
  for (const Verdict verdict : kVerdicts) verdicts.push_back(to_text(verdict));
  Json out = {{"name", text(results.protocol)},
              {"title", text(results.title.empty() ? results.protocol : results.title)},
              {"ofProgram", results.of_program},
              {"verdicts", verdicts},
              {"fewestDraws", kFewestDraws},
              {"tables", Json::array()}};
  for (const ReportTable& table : report.tables)
    out["tables"].push_back(table_json(results, table, identities, listed));
  out["csv"] = csv_json(report);
  out["datasets"] = datasets_json(results, audits);
  return out;
}

}  // namespace cupel::page
