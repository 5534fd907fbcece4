// What can be read off embeddings where a relation is a step from one entity to another.
#include "cupel/learn/events/embeddings/embedding_entry.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

EmbeddingSettings defaults() {
  EmbeddingSettings out;
  out.form = {.scoring = {.score = FactScore::kTransE}, .reciprocal = false};
  out.loss = {.loss = FactLoss::kCrossEntropy, .margin = 0};
  out.penalty.weight = 0;
  out.negatives = 256;
  return out;
}

}  // namespace

extern const ModelEntry model_transe;
const ModelEntry model_transe = {
    .name = "transe",
    .title = "TransE",
    .citation =
        "Bordes, Usunier, Garcia-Duran, Weston, Yakhnenko: Translating embeddings for modeling "
        "multi-relational data. NIPS 2013.",
    .equations = {"score(s, r, o) = - |e_s + w_r - e_o|, the L1 or L2 norm"},
    .disagreements =
        {{"loss = \"cross-entropy\"",
          "the paper has a margin between a fact and one with a wrong end, drawn for it; here "
          "wrong ends are shared by a batch, and cross-entropy is the default"},
         {"(no setting)",
          "the paper divides entities by their length before each epoch; here nothing bounds "
          "them but `penalty`"},
         {"(no setting)",
          "facts have no times to it, and a fact that stands there often counts as often"}},
    .options = embedding_options(defaults()),
    .unit = Unit::kFact,
    .draws = true,
    .events = EmbeddingEntry<defaults>::make,
    .event_bytes = EmbeddingEntry<defaults>::bytes};

}  // namespace cupel
