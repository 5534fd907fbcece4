// `cupel effectiveness` for programs: JSON and CSV.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cupel/base/json_text.h"
#include "cupel/cli/effectiveness.h"
#include "cupel/judge/report/csv.h"

namespace cupel::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json(nullptr);
}

Json evidence_json(const std::optional<GapEvidence>& evidence) {
  if (!evidence) return nullptr;
  return {{"standard_error", evidence->standard_error},
          {"df", evidence->df},
          {"interval", interval_json(evidence->interval)},
          {"p", evidence->p}};
}

Json part_json(const std::optional<EffectivenessPart>& part) {
  if (!part) return nullptr;
  return {{"gnn", part->gnn},
          {"baseline", part->baseline},
          {"gnn_score", part->gnn_score},
          {"baseline_score", part->baseline_score},
          {"gap", part->value.gap},
          {"factor", part->value.factor},
          {"effectiveness", part->value.effectiveness},
          {"evidence", evidence_json(part->evidence)}};
}

Json published_json(const PublishedEffectiveness& published) {
  if (!published.structure && !published.attributes) return nullptr;
  return {{"structure", part_json(published.structure)},
          {"attributes", part_json(published.attributes)},
          {"effectiveness", number(published.effectiveness)}};
}

Json rows_json(const std::optional<EffectivenessRows>& rows) {
  if (!rows) return nullptr;
  return {{"gnn", rows->gnn}, {"baseline", rows->baseline}};
}

// ---- CSV ----------------------------------------------------------------------------------------

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

std::string effectiveness_json(const EffectivenessReport& report) {
  Json datasets = Json::array();
  for (const DatasetEffectiveness& of : report.datasets) {
    Json one;
    one["dataset"] = of.dataset;
    one["table"] = of.table;
    one["metric"] = of.measure.word();
    one["classes"] = of.classes;
    one["splits"] = of.splits;
    one["structure"] = part_json(of.structure);
    one["attributes"] = part_json(of.attributes);
    one["effectiveness"] = number(of.effectiveness);
    one["interval"] = interval_json(of.interval);
    one["p"] = number(of.p);
    one["speaks_of"] = of.p ? Json(to_text(of.scope)) : Json(nullptr);
    one["published"] = published_json(of.published);
    one["notes"] = of.notes;
    datasets.push_back(std::move(one));
  }
  Json out;
  out["protocol"] = report.protocol;
  out["structure"] = rows_json(report.request.structure);
  out["attributes"] = rows_json(report.request.attributes);
  out["datasets"] = std::move(datasets);
  out["spearman"] = {{"structure", number(report.correlations.structure)},
                     {"attributes", number(report.correlations.attributes)},
                     {"both", number(report.correlations.both)}};
  return json_text(out);
}

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
