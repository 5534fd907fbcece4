// TGN: a memory of each entity, and attention over who it met last.
#include "cupel/learn/models/events/tgn_entry.h"

namespace cupel {

using Released = TgnEntry<TgnForm::kReleased>;

extern const ModelEntry model_tgn;
const ModelEntry model_tgn = {
    .name = "tgn",
    .title = "TGN",
    .citation =
        "Rossi, Chamberlain, Frasca, Eynard, Monti, Bronstein: Temporal graph networks for deep "
        "learning on dynamic graphs. ICML workshop on graph representation learning, 2020.",
    .equations = {"mem_i = GRU([mem_i ; mem_j ; e ; cos(w (t - last_i) + b)], mem_i) for the last "
                  "(i, j, e, t) of a batch",
                  "z_i = MLP([attention of [mem_i ; cos(b)] to [mem_j ; e ; cos(w (t - t_ij) + b)] "
                  "of the last neighbours j ; mem_i])",
                  "z_i of a further layer: the same with each z of the layer below, as of the same "
                  "t, for mem",
                  "score(s, r, o, t) = MLP([z_s ; z_o ; e_r])"},
    .disagreements =
        {{"width",
          "the released code takes 172 for states, times and embeddings, the paper's table 100 for "
          "times and embeddings and 172 for states; the default is 100 for all"},
         {"trained_times",
          "paper and released code train the frequencies by which times are encoded, which ends "
          "their spread over nine decades within an epoch: one step of Adam moves all by the rate. "
          "On CollegeMsg that costs two to eight points of average precision, epoch by epoch; the "
          "default is to keep them"},
         {"batch",
          "the released code cuts batches inside a step of time, so that a fact is scored by "
          "others of its time; here a batch ends with a step"},
         {"(no setting)",
          "neither has relations: here each has an embedding, which is a part of messages, of "
          "neighbours and of the score"},
         {"(no setting)",
          "in the released code neighbours are all those before the asked time, and states lag by "
          "a "
          "batch; so it is here where all before a step is known. Where facts are asked by "
          "batches, "
          "nothing of the batch is known"},
         {"(no setting)",
          "the released code draws wrong targets from the targets of all data; here they are from "
          "training, of the same relation"}},
    .options = tgn_options<TgnForm::kReleased>(),
    .unit = Unit::kFact,
    .draws = true,
    .events = Released::make,
    .event_bytes = Released::bytes};

}  // namespace cupel
