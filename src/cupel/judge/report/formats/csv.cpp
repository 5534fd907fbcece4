// One row per cell, or per score of facts over time: csv_lines.h says which columns.
#include "cupel/judge/report/csv_lines.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

std::string render_csv(const Report& report, const Results&) {
  const CsvLines lines = csv_lines(report);
  std::string text = lines.header;
  for (const CsvLine& line : lines.lines) text += line.text;
  return text;
}

}  // namespace

extern const Format format_csv;
const Format format_csv = {
    "csv", "csv", "one row per cell, or per score of facts over time; full precision", render_csv};

}  // namespace cupel
