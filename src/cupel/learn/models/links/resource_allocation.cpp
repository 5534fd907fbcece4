// Common neighbours, each counted by the inverse of its degree.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_resource_allocation;
const ModelEntry model_resource_allocation = {
    .name = "resource-allocation",
    .title = "Resource allocation",
    .citation =
        "Zhou, Lü and Zhang, Predicting missing links via local information, European Physical "
        "Journal B 2009",
    .equations = {"score(i, j) = sum over common neighbours k of 1 / d(k)",
                  "directed: k over successors of i that are predecessors of j"},
    .disagreements = {},
    .options = {},
    .unit = Unit::kPair,
    .scorer = [](const LinkGraph& graph, const Options&,
                 Threads threads) { return resource_allocation_scorer(graph, threads); },
};

}  // namespace cupel
