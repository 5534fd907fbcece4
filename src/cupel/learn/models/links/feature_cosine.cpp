// What the features alone say: no link is read.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_feature_cosine;
const ModelEntry model_feature_cosine = {
    .name = "feature-cosine",
    .title = "Cosine of features",
    .citation = "folklore",
    .equations = {"score(i, j) = <x_i, x_j> / (|x_i| |x_j|), 0 where a row is empty"},
    .disagreements = {},
    .options = {},
    .unit = Unit::kPair,
    .scorer = [](const LinkGraph& graph, const Options&,
                 Threads threads) { return feature_cosine_scorer(graph, threads); },
};

}  // namespace cupel
