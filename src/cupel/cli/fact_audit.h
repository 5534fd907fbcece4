// `cupel audit FACTS`: facts over time, and the parts that they are split into.
#pragma once

#include <string>

#include "cupel/cli/findings.h"

namespace cupel::cli {

// Whether `name` is a path to facts over time, and no data set of the catalog.
[[nodiscard]] bool names_facts(const std::string& name);

// `split`: the last times of training, validation and test, as "2018,2019,2021"; empty: the parts
// that the source has, if it has any. Throws Error if it cannot be read or split.
[[nodiscard]] AuditReport audit_facts_of(const std::string& path, const std::string& split);

}  // namespace cupel::cli
