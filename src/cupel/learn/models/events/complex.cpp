// What can be read off complex embeddings of entities and relations.
#include "cupel/learn/events/embeddings/embedding_entry.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

EmbeddingSettings defaults() {
  EmbeddingSettings out;
  out.form.scoring.score = FactScore::kComplEx;
  return out;
}

}  // namespace

extern const ModelEntry model_complex;
const ModelEntry model_complex = {
    .name = "complex",
    .title = "ComplEx",
    .citation =
        "Trouillon, Welbl, Riedel, Gaussier, Bouchard: Complex embeddings for simple link "
        "prediction. ICML 2016.",
    .equations = {"score(s, r, o) = Re sum over k of e_s(k) w_r(k) conj(e_o(k))",
                  "loss = - sum over facts of log softmax over o of score(s, r, o), and the same "
                  "of (o, r^-1, s), + penalty sum over k of |e_s(k)|^3 + |w_r(k)|^3 + |e_o(k)|^3"},
    .disagreements =
        {{"loss = \"cross-entropy\"",
          "the paper has the logistic loss of sampled negatives; Lacroix et al. (ICML 2018) take "
          "cross-entropy over all entities, reciprocal relations and N3, which rank better and are "
          "the default; negatives = 0 takes all entities"},
         {"(no setting)",
          "facts have no times to it, and a fact that stands there often counts as often"}},
    .options = embedding_options(defaults()),
    .unit = Unit::kFact,
    .draws = true,
    .events = EmbeddingEntry<defaults>::make,
    .event_bytes = EmbeddingEntry<defaults>::bytes};

}  // namespace cupel
