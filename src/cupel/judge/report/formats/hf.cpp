// The metadata `model-index` of a model card of the Hugging Face Hub, in YAML: a model per row, a
// result per cell of a score table.
//
// Values are in the unit of reports (percent, but for ranks), which the metric's name says. A cell
// without a score has no result, as a result must have a value; a comment says so.
#include <fmt/format.h>

#include "cupel/judge/report/build.h"
#include "cupel/judge/report/hub.h"
#include "cupel/judge/report/report.h"
#include "cupel/judge/report/yaml.h"

namespace cupel {
namespace {

using namespace report;

std::string optional_line(const char* key, const std::optional<double>& value) {
  return value ? fmt::format("        {}: {}\n", key, yaml_number(*value)) : "";
}

std::string count_line(const char* key, std::int64_t count) {
  return count > 0 ? fmt::format("        {}: {}\n", key, count) : "";
}

std::string result_text(const Report& report, const ReportTable& table, const Cell& cell) {
  std::string out = fmt::format(
      "  - task:\n      type: graph-ml\n"
      "    dataset:\n      type: {0}\n      name: {0}\n      split: test\n      args:\n"
      "        protocol: {1}\n        table: {2}\n"
      "    metrics:\n    - type: {3}\n      value: {4}\n      name: {5}\n      args:\n"
      "        runs: {6}\n        runs_planned: {7}\n",
      yaml_quoted(cell.column.dataset), yaml_quoted(report.protocol), yaml_quoted(table.id),
      yaml_quoted(cell.column.measure.word()), yaml_number(*cell.mean),
      yaml_quoted(mean_words(cell)), cell.n, cell.expected_n);
  out += count_line("runs_failed", cell.failed) + count_line("runs_timed_out", cell.timed_out) +
         count_line("runs_diverged", cell.diverged) +
         count_line("runs_in_conflict", cell.conflicts) +
         count_line("runs_not_isolated", cell.not_isolated) +
         count_line("independent_draws", cell.splits) + optional_line("spread", cell.sd);
  if (cell.sd) out += fmt::format("        spread_kind: {}\n", yaml_quoted(cell.spread_kind));
  if (cell.choice)
    out += fmt::format("        configuration: {}\n        chosen_by: {}\n",
                       yaml_quoted(cell.choice->chosen), yaml_quoted(cell.choice->by));
  out += optional_line("published", cell.published_mean) + optional_line("gap", cell.gap);
  if (cell.published_mean)
    out += fmt::format("        verdict: {}\n", yaml_quoted(to_text(cell.verdict)));
  return out;
}

std::string render_hf(const Report& report, const Results&) {
  std::string without, out;
  for (const ModelCells& row : cells_by_model(report)) {
    without += comments_on_missing(row);
    std::string results;
    for (const auto& [table, cell] : row.cells)
      if (cell->mean) results += result_text(report, *table, *cell);
    if (!results.empty())
      out += fmt::format("- name: {}\n  results:\n{}", yaml_quoted(row.model), results);
  }
  return without + (out.empty() ? "model-index: []\n" : "model-index:\n" + out);
}

}  // namespace

extern const Format format_hf;
const Format format_hf = {"hf", "yaml", "metadata of a model card (model-index)", render_hf};

}  // namespace cupel
