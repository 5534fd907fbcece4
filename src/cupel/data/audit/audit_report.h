// What an audit found.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cupel/data/audit/finding.h"

namespace cupel {

struct AuditReport {
  std::string name;  // of what was audited, in the first line
  nlohmann::ordered_json about = nlohmann::ordered_json::object();  // keys before the findings
  std::vector<Finding> findings;                                    // sorted
  std::vector<std::string> notes = {};                              // sentences
};

// One object, for programs: what was audited, the findings, the notes.
[[nodiscard]] nlohmann::ordered_json report_json(const AuditReport& report);

}  // namespace cupel
