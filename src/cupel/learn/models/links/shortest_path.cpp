// How near two nodes are.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_shortest_path;
const ModelEntry model_shortest_path = {
    .name = "shortest-path",
    .title = "Shortest path",
    .citation =
        "Liben-Nowell and Kleinberg, The link-prediction problem for social networks, JASIST 2007",
    .equations = {"score(i, j) = 1 / length of the shortest path, 0 where there is none",
                  "directed: along the arcs"},
    .disagreements = {},
    .options = {},
    .unit = Unit::kPair,
    .scorer = [](const LinkGraph& graph, const Options&,
                 Threads threads) { return shortest_path_scorer(graph, threads); },
};

}  // namespace cupel
