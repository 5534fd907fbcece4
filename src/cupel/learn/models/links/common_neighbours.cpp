// How many neighbours two nodes share.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_common_neighbours;
const ModelEntry model_common_neighbours = {
    .name = "common-neighbours",
    .title = "Common neighbours",
    .citation =
        "Liben-Nowell and Kleinberg, The link-prediction problem for social networks, JASIST 2007",
    .equations = {"score(i, j) = |N(i) and N(j)|",
                  "directed: k over successors of i that are predecessors of j"},
    .disagreements = {},
    .options = {},
    .unit = Unit::kPair,
    .scorer = [](const LinkGraph& graph, const Options&,
                 Threads threads) { return common_neighbours_scorer(graph, threads); },
};

}  // namespace cupel
