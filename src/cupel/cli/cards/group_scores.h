// Scores of groups of facts, for people: a part of a run's card.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cupel::cli {

// Of a run's other scores, those of groups (learn/score/group_names.h): per relation, which stands
// with C_trans and C_ind, a line for each group with its questions and all metrics. "" if there are
// none.
[[nodiscard]] std::string group_scores_text(
    const std::vector<std::pair<std::string, double>>& other_scores);

}  // namespace cupel::cli
