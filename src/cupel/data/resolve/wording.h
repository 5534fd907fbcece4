// How evidence is put into words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/facts/facts.h"
#include "cupel/data/resolve/egos.h"

namespace cupel {

// "2 shared co-authors: A, B": the three first, by how few `others` they have, then by number.
// Empty where there are none.
[[nodiscard]] std::string listed(const TemporalFacts& facts, const Egos& egos,
                                 std::vector<Index> entities, const Lists& others,
                                 std::string_view noun);
[[nodiscard]] std::vector<Index> shared_of(const Lists& lists, Index a, Index b);
// "2014-2018 and 2016", the earlier first; empty where time is not in years or not known.
[[nodiscard]] std::string both_years(const TemporalFacts& facts, const Egos& egos, Index a,
                                     Index b);
// Puts "; " between.
void join(std::string& all, const std::string& more);

}  // namespace cupel
