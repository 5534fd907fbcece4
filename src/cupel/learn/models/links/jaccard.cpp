// The share of all neighbours of two nodes that they have in common.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_jaccard;
const ModelEntry model_jaccard = {
    .name = "jaccard",
    .title = "Jaccard coefficient",
    .citation = "Jaccard, 1901; as a predictor of links: Liben-Nowell and Kleinberg, JASIST 2007",
    .equations = {"score(i, j) = |N(i) and N(j)| / |N(i) or N(j)|, 0 where neither has neighbours",
                  "directed: of the successors of i and the predecessors of j"},
    .disagreements = {},
    .options = {},
    .unit = Unit::kPair,
    .scorer = [](const LinkGraph& graph, const Options&,
                 Threads threads) { return jaccard_scorer(graph, threads); },
};

}  // namespace cupel
