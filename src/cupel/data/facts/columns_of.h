// Facts as the columns that splits, groups and statistics read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cupel/data/facts/facts.h"
#include "cupel/data/facts/facts_statistics.h"

namespace cupel {

// A view; `facts` must outlive it and be in the order of time. Facts without relations have one.
[[nodiscard]] FactColumns columns_of(const TemporalFacts& facts);
// Per relation 1 if it has no direction.
[[nodiscard]] std::vector<std::uint8_t> undirected_of(const TemporalFacts& facts);
// The cuts that the parts train, valid and test of the source suggest: their last times. Throws
// Error if it did not come in these three, if one of them has no fact, or if a step of time is in
// two of them.
[[nodiscard]] TimeCuts cuts_of_parts(const TemporalFacts& facts);

// "0.7,0.85". Throws Error naming `what` (as "--split:") if these are not two ascending shares.
[[nodiscard]] std::pair<double, double> parse_quantiles(const std::string& text,
                                                        const std::string& what);
// Whether the text tells shares of the facts ("0.7,0.85") and not times: two numbers with a full
// stop.
[[nodiscard]] bool is_of_shares(const std::string& text);
// The cuts that `text` tells: last times (parse_time_cuts()), or quantiles of the facts' times;
// those of the source's parts where it is empty. Throws Error naming `option` (as "--split").
[[nodiscard]] TimeCuts cuts_of_text(const TemporalFacts& facts, const std::string& text,
                                    const std::string& option);

[[nodiscard]] FactsStatistics facts_statistics(const TemporalFacts& facts, const TimeCuts& cuts,
                                               Threads threads);

}  // namespace cupel
