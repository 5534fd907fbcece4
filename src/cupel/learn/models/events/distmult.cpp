// What can be read off embeddings whose product says how likely a fact is.
#include "cupel/learn/events/embeddings/embedding_entry.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

EmbeddingSettings defaults() {
  EmbeddingSettings out;
  out.form.scoring.score = FactScore::kDistMult;
  return out;
}

}  // namespace

extern const ModelEntry model_distmult;
const ModelEntry model_distmult = {
    .name = "distmult",
    .title = "DistMult",
    .citation =
        "Yang, Yih, He, Gao, Deng: Embedding entities and relations for learning and inference in "
        "knowledge bases. ICLR 2015.",
    .equations = {"score(s, r, o) = sum over k of e_s(k) w_r(k) e_o(k)",
                  "loss = - sum over facts of log softmax over o of score(s, r, o), and the same "
                  "of (o, r^-1, s), + penalty sum over k of |e_s(k)|^3 + |w_r(k)|^3 + |e_o(k)|^3"},
    .disagreements =
        {{"loss = \"cross-entropy\"",
          "the paper has a margin between a fact and one with a wrong end, and entities of length "
          "1; cross-entropy over all entities with reciprocal relations and N3 (Lacroix et al., "
          "ICML 2018) ranks better and is the default; negatives = 0 takes all entities"},
         {"(no setting)",
          "facts have no times to it, and a fact that stands there often counts as often"}},
    .options = embedding_options(defaults()),
    .unit = Unit::kFact,
    .draws = true,
    .events = EmbeddingEntry<defaults>::make,
    .event_bytes = EmbeddingEntry<defaults>::bytes};

}  // namespace cupel
