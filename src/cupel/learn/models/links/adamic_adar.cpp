// Common neighbours, of which rare ones count more: by the logarithm of their degree.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_adamic_adar;
const ModelEntry model_adamic_adar = {
    .name = "adamic-adar",
    .title = "Adamic-Adar",
    .citation = "Adamic and Adar, Friends and neighbors on the Web, Social Networks 2003",
    .equations = {"score(i, j) = sum over common neighbours k of 1 / log d(k)",
                  "directed: k over successors of i that are predecessors of j"},
    .disagreements = {},
    .options = {},
    .unit = Unit::kPair,
    .scorer = [](const LinkGraph& graph, const Options&,
                 Threads threads) { return adamic_adar_scorer(graph, threads); },
};

}  // namespace cupel
