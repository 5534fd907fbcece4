// The answer for programs.
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "cupel/api/effectiveness.h"

namespace cupel {
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

}  // namespace

nlohmann::ordered_json effectiveness_json(const EffectivenessReport& report) {
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
  return out;
}

}  // namespace cupel
