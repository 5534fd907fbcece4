// An audit of facts over time, and of the parts that they are split into.
#pragma once

#include <filesystem>
#include <string>

#include "cupel/api/audit.h"
#include "cupel/api/link_audit.h"
#include "cupel/data/audit/audit_report.h"

namespace cupel {

// `split`: the last times of training, validation and test, as "2018,2019,2021"; empty: the parts
// that the source has, if it has any. Throws Error if it cannot be read or split.
[[nodiscard]] AuditReport audit_facts_of(const std::filesystem::path& place,
                                         const std::string& split);

// Throws Error if something is asked that is of graphs; `name` is that of facts.
void refuse_what_is_of_graphs(const std::string& name, const AuditRequest& graph,
                              const LinkAuditRequest& links);

}  // namespace cupel
