// How well merged entities agree with gold, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cupel/data/resolve/cluster_scores.h"
#include "cupel/data/resolve/gold.h"

namespace cupel::cli {

// What gold says of the mentions, before and after merging.
struct ResolveScores {
  Gold::Mentions mentions;
  ClusterScores before, after;
};

// Keys pairwise and b_cubed with precision, recall and f1, the same under "before"; null where a
// score is not defined.
[[nodiscard]] nlohmann::ordered_json resolve_scores_json(const ResolveScores& found);
[[nodiscard]] std::string resolve_scores_text(const ResolveScores& found);

}  // namespace cupel::cli
