// An audit of facts over time, and of the parts that they are split into.
#pragma once

#include <string>

#include "cupel/data/audit/audit_report.h"

namespace cupel {

// `split`: the last times of training, validation and test, as "2018,2019,2021"; empty: the parts
// that the source has, if it has any. Throws Error if it cannot be read or split.
[[nodiscard]] AuditReport audit_facts_of(const std::string& path, const std::string& split);

}  // namespace cupel
