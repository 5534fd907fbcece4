// `cupel effectiveness` as CSV.
#include <fmt/format.h>

#include <optional>

#include "cupel/cli/effectiveness.h"
#include "cupel/judge/report/csv.h"

namespace cupel::cli {
namespace {

std::string part_fields(const std::optional<EffectivenessPart>& part) {
  if (!part) return std::string(9, ',');
  const std::optional<GapEvidence>& evidence = part->evidence;
  std::string out = fmt::format(",{},{},{},{}", csv_field(part->gnn), csv_field(part->baseline),
                                part->gnn_score, part->baseline_score);
  out += fmt::format(",{}", part->value.gap);
  out += evidence ? fmt::format(",{},{},{}", evidence->interval.low, evidence->interval.high,
                                evidence->p)
                  : ",,,";
  return out + fmt::format(",{}", part->value.effectiveness);
}

}  // namespace

std::string effectiveness_csv(const EffectivenessReport& report) {
  std::string out = "dataset,table,metric,classes,splits";
  for (const char* part : {"structure", "attributes"})
    for (const char* name : {"gnn", "baseline", "gnn_score", "baseline_score", "gap", "gap_low",
                             "gap_high", "gap_p", "effectiveness"})
      out += fmt::format(",{}_{}", part, name);
  out += ",effectiveness,low,high,p,speaks_of,published_effectiveness\n";
  for (const DatasetEffectiveness& of : report.datasets) {
    out += fmt::format("{},{},{},{},{}", csv_field(of.dataset), csv_field(of.table),
                       csv_field(of.measure.word()), of.classes, of.splits);
    out += part_fields(of.structure) + part_fields(of.attributes);
    out += "," + csv_number(of.effectiveness);
    out += of.interval ? fmt::format(",{},{}", of.interval->low, of.interval->high) : ",,";
    out += fmt::format(",{},{},{}\n", csv_number(of.p), of.p ? to_text(of.scope) : "",
                       csv_number(of.published.effectiveness));
  }
  return out;
}

}  // namespace cupel::cli
