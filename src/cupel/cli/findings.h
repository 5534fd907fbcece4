// What an audit found, as text and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cupel/data/audit/finding.h"

namespace cupel::cli {

struct AuditReport {
  std::string name;  // of what was audited, in the first line
  nlohmann::ordered_json about = nlohmann::ordered_json::object();  // keys before the findings
  std::vector<Finding> findings;                                    // sorted
  std::vector<std::string> notes = {};                              // sentences
};

[[nodiscard]] nlohmann::ordered_json report_json(const AuditReport& report);
[[nodiscard]] std::string report_text(const AuditReport& report);

// Nothing for an empty text. Throws Error for what is no severity.
[[nodiscard]] std::optional<Severity> fail_severity(const std::string& text);
// kRunsFailed if there is a finding of the severity `fail_on` or above.
[[nodiscard]] int exit_code(const std::vector<Finding>& findings, const std::string& fail_on);

}  // namespace cupel::cli
