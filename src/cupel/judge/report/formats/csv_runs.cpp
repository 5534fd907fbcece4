// One row per run behind the cells of score tables: what a reader's own statistics start from.
//
// Scores are fractions, as stored. An empty field is a score that the run does not have. The id is
// that of `cupel show RUN`. Where programs were run, a last column says how they were isolated.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/judge/report/csv.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

bool has_isolation(const Results& results) {
  for (const TableResults& table : results.tables) {
    for (const CellResults& cell : table.cells) {
      if (std::any_of(cell.runs.begin(), cell.runs.end(),
                      [](const PlacedRun& run) { return !run.record.isolation.empty(); }))
        return true;
    }
  }
  return false;
}

std::string render_runs(const Report&, const Results& results) {
  std::string text =
      "protocol,table,dataset,model,configuration,metric,split,init,status,test_score,valid_score,"
      "epochs,seconds,id";
  const bool isolation = has_isolation(results);
  text += isolation ? ",isolation\n" : "\n";
  for (const TableResults& table : results.tables) {
    for (const CellResults& cell : table.cells) {
      for (const PlacedRun& run : cell.runs) {
        const RunRecord& record = run.record;
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}", csv_field(results.protocol),
            csv_field(table.id), csv_field(cell.dataset), csv_field(cell.model),
            csv_field(cell.choice ? cell.choice->chosen : ""), csv_field(cell.measure.word()),
            run.split, run.init, to_text(record.status), csv_number(record.test_score),
            csv_number(record.valid_score), record.epochs, record.seconds, record.id);
        text += isolation ? "," + csv_field(record.isolation) + "\n" : "\n";
      }
    }
  }
  return text;
}

}  // namespace

extern const Format format_csv_runs;
const Format format_csv_runs = {"csv-runs", "csv", "one row per run, full precision", render_runs};

}  // namespace cupel
