// Walks between two nodes, long ones counted less.
#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/model.h"

namespace cupel {

extern const ModelEntry model_katz;
const ModelEntry model_katz = {
    .name = "katz",
    .title = "Katz index",
    .citation = "Katz, A new status index derived from sociometric analysis, Psychometrika 1953",
    .equations = {"score(i, j) = sum over lengths l >= 1 of beta^l (A^l)(i, j)",
                  "the infinite sum where length = 0, exact in float32"},
    .disagreements = {},
    .options = {{.name = "beta",
                 .fallback = 0.005,
                 .doc = "What a step of a walk costs.",
                 .min = 1e-9,
                 .max = 1},
                {.name = "length",
                 .fallback = std::int64_t{0},
                 .doc = "Longest walk that counts; 0: all.",
                 .min = 0,
                 .max = 1000}},
    .unit = Unit::kPair,
    .scorer =
        [](const LinkGraph& graph, const Options& o, Threads threads) {
          return katz_scorer(graph, {o.real("beta"), static_cast<int>(o.integer("length"))},
                             threads);
        },
};

}  // namespace cupel
