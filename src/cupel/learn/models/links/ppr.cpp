// How often a walk that keeps going back to one node visits the other.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_ppr;
const ModelEntry model_ppr = {
    .name = "ppr",
    .title = "Personalised PageRank",
    .citation =
        "Liben-Nowell and Kleinberg, The link-prediction problem for social networks, JASIST 2007, "
        "rooted PageRank",
    .equations = {"score(i, j) = p_i(j) + p_j(i)",
                  "p_i: the share of time at each node of a walk that starts at i, follows an arc "
                  "with probability 1 - alpha and else goes back to i",
                  "directed: p_i(j) alone"},
    .disagreements = {},
    .options = {{.name = "alpha",
                 .fallback = 0.15,
                 .doc = "Probability of going back to the start.",
                 .min = 0.01,
                 .max = 1}},
    .unit = Unit::kPair,
    .scorer =
        [](const LinkGraph& graph, const Options& o, Threads threads) {
          return personalised_pagerank_scorer(graph, o.real("alpha"), threads);
        },
};

}  // namespace cupel
