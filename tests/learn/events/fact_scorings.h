// Every way to score a fact by embeddings.
#pragma once

#include <vector>

#include "cupel/learn/events/embeddings/fact_scores.h"

namespace cupel::made {

inline const std::vector<FactScoring> kScorings = {{FactScore::kTransE, kernels::Norm::kL1},
                                                   {FactScore::kTransE, kernels::Norm::kL2},
                                                   {FactScore::kDistMult, kernels::Norm::kL1},
                                                   {FactScore::kComplEx, kernels::Norm::kL1}};

}  // namespace cupel::made
