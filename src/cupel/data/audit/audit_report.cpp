#include "cupel/data/audit/audit_report.h"

namespace cupel {
namespace {

using Json = nlohmann::ordered_json;

Json finding_json(const Finding& finding) {
  Json evidence = {{"text", finding.evidence}};
  for (const auto& [key, value] : finding.details.items()) evidence[key] = value;
  Json out = {{"id", finding.id}};
  out["severity"] = to_text(finding.severity);
  out["count"] = finding.count;
  out["title"] = finding.title;
  out["evidence"] = evidence;
  out["advice"] = finding.advice;
  return out;
}

}  // namespace

Json report_json(const AuditReport& report) {
  Json out = report.about;
  Json& list = out["findings"] = Json::array();
  for (const Finding& finding : report.findings) list.push_back(finding_json(finding));
  out["notes"] = report.notes;
  return out;
}

}  // namespace cupel
