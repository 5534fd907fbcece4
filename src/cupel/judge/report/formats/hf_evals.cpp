// A folder of results as the Hugging Face Hub takes them in `.eval_results/` of a model's
// repository: a file for each row, a list of its cells.
//
//   ROW.yaml: - dataset: {id, task_id}, value, notes
//
// The Hub wants the id that a data set has there, OWNER/NAME, and it must be registered as a
// benchmark whose eval.yaml lists the task; no store knows either. Ids are Cupel's names, tasks
// PROTOCOL.TABLE.METRIC, and a comment says what to replace. Values are in the unit of reports
// (percent, but for ranks), as the notes say. A cell without a score is a comment.
#include <fmt/format.h>

#include <vector>

#include "cupel/base/words.h"
#include "cupel/judge/report/hub.h"
#include "cupel/judge/report/plain_key.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/report/report.h"
#include "cupel/judge/report/yaml.h"

namespace cupel {
namespace {

using namespace report;

constexpr const char* kWhatToReplace =
    "# For .eval_results/ of a model's repository. Give data sets the ids that they have on the "
    "Hub (OWNER/NAME).\n";

std::string notes_of(const Report& report, const ReportTable& table, const Cell& cell) {
  std::string out = fmt::format("{} of {} planned", mean_words(cell), cell.expected_n);
  if (cell.splits > 0)
    out += fmt::format(", {} independent draw{}", cell.splits, cell.splits == 1 ? "" : "s");
  if (cell.sd) out += fmt::format("; {} {:.4g}", cell.spread_kind, *cell.sd);
  if (const std::string trouble = trouble_text(cell); !trouble.empty()) out += "; " + trouble;
  if (cell.not_isolated > 0)
    out += fmt::format("; {} not isolated", counted(cell.not_isolated, "run"));
  if (cell.choice)
    out += fmt::format("; configuration {}, chosen by {}", cell.choice->chosen, cell.choice->by);
  if (cell.published_mean)
    out += fmt::format("; published {:.4g}: {}", *cell.published_mean, to_text(cell.verdict));
  return out + fmt::format("; Cupel, protocol {}, table {}", report.protocol, table.id);
}

std::string entry_of(const Report& report, const ReportTable& table, const Cell& cell) {
  const std::string task =
      fmt::format("{}.{}.{}", report.protocol, table.id, cell.column.measure.word());
  return fmt::format("- dataset:\n    id: {}\n    task_id: {}\n  value: {}\n  notes: {}\n",
                     yaml_quoted(cell.column.dataset), yaml_quoted(task), yaml_number(*cell.mean),
                     yaml_quoted(notes_of(report, table, cell)));
}

void put_rows(const Report& report, const Results&, const PutFile& put) {
  for (const ModelCells& row : cells_by_model(report)) {
    std::string entries;
    for (const auto& [table, cell] : row.cells)
      if (cell->mean) entries += entry_of(report, *table, *cell);
    put(file_stem(row.model) + ".yaml",
        kWhatToReplace + comments_on_missing(row) + (entries.empty() ? "[]\n" : entries));
  }
}

}  // namespace

extern const Format format_hf_evals;
const Format format_hf_evals = {"hf-evals", "", "a folder for .eval_results/ of models on the Hub",
                                nullptr, put_rows};

}  // namespace cupel
