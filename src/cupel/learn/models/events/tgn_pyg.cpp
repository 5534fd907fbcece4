// TGN as PyTorch Geometric's example has it.
#include "cupel/learn/models/events/tgn_entry.h"

namespace cupel {

using Pyg = TgnEntry<TgnForm::kPyg>;

extern const ModelEntry model_tgn_pyg;
const ModelEntry model_tgn_pyg = {
    .name = "tgn-pyg",
    .title = "TGN (PyTorch Geometric)",
    .citation =
        "Rossi, Chamberlain, Frasca, Eynard, Monti, Bronstein: Temporal graph networks for deep "
        "learning on dynamic graphs. ICML workshop on graph representation learning, 2020; in the "
        "form of the example tgn.py of PyTorch Geometric.",
    .equations = {"mem_i = GRU([mem_i ; mem_j ; e ; cos(w (t - last_i) + b)], mem_i) for the last "
                  "(i, j, e, t) of a batch",
                  "z_i = W mem_i + [two heads of attention of mem_i to mem_j and [e ; "
                  "cos(w (last_j - t_ij) + b)] of the last neighbours j]",
                  "score(s, r, o) = MLP([z_s ; z_o ; e_r])"},
    .disagreements =
        {{"(no setting)",
          "an embedding says nothing of the time that is asked: what a neighbour's encoding counts "
          "is from the meeting to the last message of that neighbour. The paper counts to the "
          "asked "
          "time (tgn)"},
         {"(no setting)",
          "the example's frequencies and phases start from U(-1, 1), so that gaps of more than "
          "some "
          "units of time are noise; here they start as in the released code"},
         {"(no setting)",
          "the example moves the state of who has no message by a message of zeros, and takes a "
          "state with it for the first time after that; here such a state is zeros"},
         {"batch",
          "the example cuts batches inside a step of time, so that a fact is scored by others of "
          "its time; here a batch ends with a step"},
         {"batch",
          "the example has no other rule than that all before a batch is known. Where all before a "
          "step is known, neighbours and states still are those after the last batch that is over, "
          "as in training"},
         {"(no setting)",
          "the example has no relations: here each has an embedding, which is a part of messages, "
          "of neighbours and of the score"}},
    .options = tgn_options<TgnForm::kPyg>(),
    .unit = Unit::kFact,
    .revision = 2,  // 1 looked up neighbours of a batch whose messages waited
    .draws = true,
    .events = Pyg::make,
    .event_bytes = Pyg::bytes};

}  // namespace cupel
