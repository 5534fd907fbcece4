// RE-Net: recurrences over what happened around an entity, and over the whole graph.
#include "cupel/learn/events/re_net/re_net.h"

#include "cupel/learn/model.h"

namespace cupel {
namespace {

ReNetSettings settings_of(const Options& settings) {
  const auto number = [&](const char* name) { return static_cast<Index>(settings.integer(name)); };
  ReNetSettings out{history_settings(settings)};
  out.global_epochs = number("global_epochs");
  out.global_batch = number("global_batch");
  out.global_lr = settings.real("global_lr");
  out.foretold = number("foretold");
  out.released = settings.text("form") == "released";
  return out;
}

std::unique_ptr<EventModel> make(const EventWorld& world, const Options& settings, StreamKey key,
                                 Threads threads) {
  return std::make_unique<ReNet>(world, settings_of(settings), key, threads);
}

std::size_t bytes(const EventWorld& world, const Options& settings, Offset facts) {
  return re_net_bytes(world, settings_of(settings), facts);
}

std::vector<OptionSpec> re_net_options() {
  auto out = history_options(
      kReNetForm,
      {.width = "Width of embeddings and states; even.",
       .history = "How many of the last steps of an entity, and of the graph, are gone through.",
       .dropout = "Share of elements that are left out in training.",
       .masks = "Whether parts of what recurrences and answers read are dropped for each query, or "
                "once for all of a batch that share them, in two thirds of the time.",
       .order = "In which order the facts of an epoch come: that of time, or one drawn anew, in "
                "1.7 times the time.",
       .later = true});
  const ReNetSettings s;
  const std::vector<OptionSpec> own = {
      number_option("global_epochs", s.global_epochs, ReNetSettings::kGlobalEpochs,
                    "Passes over training of the global model, which comes first."),
      number_option("global_batch", s.global_batch, ReNetSettings::kGlobalBatch,
                    "Steps of time of a step of Adam of the global model."),
      number_option("global_lr", s.global_lr, ReNetSettings::kGlobalLr,
                    "Adam's step of the global model."),
      number_option("foretold", s.foretold, ReNetSettings::kForetold,
                    "Where the setting is multi-step, how many facts of each step are predicted "
                    "from either end, and taken as history; 0: none.")};
  out.insert(out.end() - 2, own.begin(), own.end());  // before masks and order
  out.push_back({.name = "form",
                 .fallback = std::string("designed"),
                 .doc = "As designed, or as released where the two differ.",
                 .choices = {"designed", "released"}});
  return out;
}

}  // namespace

extern const ModelEntry model_re_net;
const ModelEntry model_re_net = {
    .name = "re-net",
    .title = "RE-Net",
    .citation =
        "Jin, Qu, Jin, Ren: Recurrent event network: autoregressive structure inference over "
        "temporal knowledge graphs. EMNLP 2020.",
    .equations =
        {"n_s(u) = two layers of relational graph convolution over the facts of step u",
         "g = GRU over the last steps u of s of [n_s(u) ; e_s ; w_r ; H_u], q the same without w_r",
         "H_u = GRU over steps of the maximum over v of n_v, of layers of its own",
         "p(o | s, r) = softmax(W_o [e_s ; g ; w_r] + b), p(r | s) = softmax(W_r [e_s ; q] + b')"},
    .disagreements =
        {{"form",
          "the released code trains the global model to predict who will be a target from the "
          "part that predicts sources, and leaves the other part as drawn; and where it predicts "
          "a step, a source that is drawn several times counts several times; `released` does so"},
         {"global_batch",
          "the released code takes a batch of 1024 steps for the global model, which is one step "
          "of Adam an epoch; the default is 16"},
         {"(no setting)",
          "the released code takes messages of a step from those entities alone that a batch asks "
          "about and their neighbours; here all of the step takes part"},
         {"masks",
          "the released code drops elements of the input of each step of each query by themselves; "
          "`own` does so for each query, at all of whose steps the same elements of its entity and "
          "relation are left out, and for each neighbourhood, whichever queries read it"},
         {"order",
          "the paper says nothing of the order of facts within an epoch; the released code draws "
          "one "
          "for each epoch, `drawn` does so"},
         {"(no setting)",
          "the released code answers the first query of each predicted step with another entity, "
          "and counts the first fact of a step to the one before; here neither is so"}},
    .options = re_net_options(),
    .unit = Unit::kFact,
    .draws = true,
    .events = make,
    .event_bytes = bytes};

}  // namespace cupel
