// A part of results.
#pragma once

#include <string>
#include <vector>

#include "cupel/lab/results/results.h"

namespace cupel {

// What of results is wanted. Empty means all; names as of same_name().
struct ResultsSelection {
  std::vector<std::string> tables, datasets, models;  // ids, columns, rows
};

// The results of these alone. A derived table comes with its source, and speaks of the rows and
// columns that are left, as it does of a protocol that was run in part. Throws Error for a name
// that the results do not have (with the nearest), or if nothing is left.
[[nodiscard]] Results narrowed(Results results, const ResultsSelection& selection);

}  // namespace cupel
