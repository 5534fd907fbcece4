// An audit of facts over time, and of the parts that they are split into; and of whatever data set.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#include "cupel/api/audit.h"
#include "cupel/api/link_audit.h"
#include "cupel/data/audit/audit_report.h"

namespace cupel {

// `split`: the last times of training, validation and test, as "2018,2019,2021"; empty: the parts
// that the source has, if it has any. Throws Error if it cannot be read or split.
[[nodiscard]] AuditReport audit_facts_of(const std::filesystem::path& place,
                                         const std::string& split);

// Throws Error if something is asked that is of graphs, or one of `more` options is given; `name`
// is that of facts.
void refuse_what_is_of_graphs(const std::string& name, const AuditRequest& graph,
                              const LinkAuditRequest& links,
                              std::initializer_list<std::pair<const char*, bool>> more = {});

// The audit that is asked for: of facts over time as they lie where they were read (`graph.name`),
// of splits of links where `links` names some, else of the graph or the graphs. Throws Error as
// these do, for options that are of another one, and for facts that were made.
[[nodiscard]] AuditReport audit_of(const Dataset& dataset, const AuditRequest& graph,
                                   const LinkAuditRequest& links);

}  // namespace cupel
