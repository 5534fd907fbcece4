// Statistics of facts as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cupel/data/facts/facts_statistics.h"

namespace cupel {

// Keys in fixed order, undefined numbers null:
// {"splits": [{"part", "from", "to", TYPES, RELATION...}],   the rows of Table 2
//  "groups": {RELATION: {"repeated", "first_time", ...}},
//  "complexity": {RELATION: {"c_trans", "c_trans_share", "c_ind", "c_ind_share"}},
//  "staleness": {RELATION: {"1", "2", "3-5", ">5", "never"}}}
// RELATION by name, and "all" behind them; TYPES in the plural ("scientists"). In "splits",
// where all these are keys of one object, a name that is one of the keys before it gets "
// (relation)" or " (type)" behind it.
[[nodiscard]] nlohmann::ordered_json facts_statistics_json(const FactsStatistics& statistics);

// {"c_trans", "c_trans_share", "c_ind", "c_ind_share"}
[[nodiscard]] nlohmann::ordered_json complexity_json(const Complexity& complexity);

// A row of Figure 4 for each cut: [{"train", "valid", "test", "groups", "complexity"}], the last
// two as above. `relations`: names, each once.
[[nodiscard]] nlohmann::ordered_json complexity_over_time_json(
    const std::vector<std::string>& relations, const std::vector<CutComplexity>& cuts);

}  // namespace cupel
