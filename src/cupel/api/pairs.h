// Rows of a store in pairs, a graph model and a baseline, in the spelling of users.
#pragma once

#include <string>
#include <vector>

#include "cupel/api/stored_results.h"
#include "cupel/judge/effectiveness/effectiveness.h"

namespace cupel {

struct PairsRequest {
  StoredResultsRequest read;
  // "gin-s+gcn-s,baseline-s": the best of two over a third; "none": this part is left out; empty:
  // gin-s over baseline-s (gin-a over baseline-a), where the results have them. A comma or plus of
  // a name has a backslash before it.
  std::string structure, attributes;
  std::string metric, table;          // see EffectivenessRequest
  std::vector<std::string> datasets;  // as split_list() takes them; empty: all
};

// The same of these results. Throws Error for what is no pair. Pure.
[[nodiscard]] EffectivenessRequest pairs_of(const PairsRequest& request, const Results& results);

}  // namespace cupel
