// Nodes with many links get more: the degrees alone.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_preferential_attachment;
const ModelEntry model_preferential_attachment = {
    .name = "preferential-attachment",
    .title = "Preferential attachment",
    .citation = "Barabási and Albert, Emergence of scaling in random networks, Science 1999",
    .equations = {"score(i, j) = d(i) d(j)", "directed: arcs out of i times arcs into j"},
    .disagreements = {},
    .options = {},
    .unit = Unit::kPair,
    .scorer = [](const LinkGraph& graph, const Options&,
                 Threads threads) { return preferential_attachment_scorer(graph, threads); },
};

}  // namespace cupel
