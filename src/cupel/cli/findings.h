// What an audit found, for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/data/audit/audit_report.h"

namespace cupel::cli {

[[nodiscard]] std::string report_text(const AuditReport& report);

// Nothing for an empty text. Throws Error for what is no severity.
[[nodiscard]] std::optional<Severity> fail_severity(const std::string& text);
// kRunsFailed if there is a finding of the severity `fail_on` or above.
[[nodiscard]] int exit_code(const std::vector<Finding>& findings, const std::string& fail_on);

}  // namespace cupel::cli
