// RE-Net as PyTorch Geometric has it.
#include "cupel/learn/events/re_net/re_net_pyg.h"

#include "cupel/learn/model.h"

namespace cupel {
namespace {

std::unique_ptr<EventModel> make(const EventWorld& world, const Options& settings, StreamKey key,
                                 Threads threads) {
  return std::make_unique<ReNetPyg>(world, history_settings(settings), key, threads);
}

std::size_t bytes(const EventWorld& world, const Options& settings, Offset facts) {
  return re_net_pyg_bytes(world, history_settings(settings), facts);
}

}  // namespace

extern const ModelEntry model_re_net_pyg;
const ModelEntry model_re_net_pyg = {
    .name = "re-net-pyg",
    .title = "RE-Net (PyTorch Geometric)",
    .citation =
        "Jin, Qu, Jin, Ren: Recurrent event network: autoregressive structure inference over "
        "temporal knowledge graphs. EMNLP 2020; in the form of the model RENet and the example "
        "renet.py of PyTorch Geometric.",
    .equations = {"m_u = mean of e_v over all v that s met by r at step u; zeros without one",
                  "h = GRU over the last steps u of the data's time of [e_s ; m_u ; w_r]",
                  "p(o | s, r) = softmax(W [e_s ; h ; w_r] + b), p(s | r, o) by a GRU, W and b of "
                  "their own"},
    .disagreements =
        {{"(no setting)",
          "the paper's model also reads two layers of relational graph convolution and the state "
          "of the whole graph, predicts relations, and goes through the last steps at which an "
          "entity had any fact (re-net). Here, as in PyTorch Geometric, these are the last steps "
          "of the data's time, and whom the entity met by the asked relation alone; what it met "
          "by others is not read"},
         {"(no setting)",
          "the paper has a relation's embedding for each direction; here, as in PyTorch Geometric, "
          "both directions share one"},
         {"(no setting)",
          "PyTorch Geometric's test reads histories of all that was before the asked step. Where "
          "the setting is multi-step, steps that are not known are empty here; the paper predicts "
          "facts of them"},
         {"(no setting)",
          "the example takes the last epoch; here each of the second half of the epochs is tried "
          "on validation, and the best is kept"},
         {"masks",
          "the example drops elements of what answers read for each fact by itself; `own` does so "
          "for each query, and for a fact with another's query and history together with it; "
          "`shared` leaves out the same elements of an entity, or of a relation, for all queries "
          "of one end of a batch that share it"},
         {"(no setting)",
          "PyTorch Geometric asks a relation without direction as one with two; here it is asked "
          "in one form, and its facts count from both ends"}},
    .options = history_options(
        kReNetPygForm,
        {.width = "Width of embeddings and states.",
         .history = "How many of the last steps of the data's time are gone through.",
         .dropout = "Share of elements that answers do not read in training.",
         .masks = "Whether the entity and the relation that answers read are dropped for each "
                  "query, or once for all of one end of a batch that share them.",
         .order = "In which order the facts of an epoch come: that of time, or one drawn anew."}),
    .unit = Unit::kFact,
    .draws = true,
    .events = make,
    .event_bytes = bytes};

}  // namespace cupel
