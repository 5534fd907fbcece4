// TGAT: attention over who was met before, and over whom these had met before that.
#include "cupel/learn/events/tgat.h"

#include "cupel/learn/model.h"
#include "cupel/learn/models/events/temporal_options.h"

namespace cupel {
namespace {

MeetingSample sample_of(const std::string& word) {
  return word == "uniform"    ? MeetingSample::kUniform
         : word == "earliest" ? MeetingSample::kEarliest
                              : MeetingSample::kRecent;
}

TgatSettings settings_of(const Options& settings) {
  return {.width = static_cast<Index>(settings.integer("width")),
          .layers = static_cast<Index>(settings.integer("layers")),
          .neighbours = static_cast<Index>(settings.integer("neighbours")),
          .sample = sample_of(settings.text("sample")),
          .batch = static_cast<Index>(settings.integer("batch")),
          .dropout = settings.real("dropout"),
          .lr = settings.real("lr"),
          .trained_times = settings.flag("trained_times"),
          .residual = settings.flag("residual"),
          .epochs = static_cast<Index>(settings.integer("epochs")),
          .patience = static_cast<Index>(settings.integer("patience"))};
}

std::unique_ptr<EventModel> make(const EventWorld& world, const Options& settings, StreamKey key,
                                 Threads threads) {
  return std::make_unique<Tgat>(world, settings_of(settings), key, threads);
}

std::size_t bytes(const EventWorld& world, const Options& settings, Offset facts) {
  return tgat_bytes(world, settings_of(settings), facts);
}

}  // namespace

extern const ModelEntry model_tgat;
const ModelEntry model_tgat = {
    .name = "tgat",
    .title = "TGAT",
    .citation =
        "Xu, Ruan, Korpeoglu, Kumar, Achan: Inductive representation learning on temporal graphs. "
        "ICLR 2020.",
    .equations = {"h_i(t) = 0 below the first layer",
                  "h_i(t) = MLP([attention of [h_i(t) ; cos(b)] to [h_j(t_ij) ; e ; "
                  "cos(w (t - t_ij) + b)] of sampled neighbours j before t ; h_i(t)])",
                  "score(s, r, o, t) = MLP([h_s(t) ; h_o(t) ; e_r])"},
    .disagreements =
        {{"residual",
          "the released code adds the query to what is attended to, and normalises, which the "
          "paper "
          "does not have; the default is the paper's"},
         {"sample",
          "the released code's default takes the earliest neighbours by mistake, and of few leaves "
          "out the last one; `earliest` takes the earliest, and all of few. The paper draws them; "
          "`uniform` does so, with no repetition. The default is the last ones"},
         {"trained_times",
          "paper and released code train the frequencies by which times are encoded, which ends "
          "their spread over nine decades: one step of Adam moves each by the rate, and long gaps "
          "are not told apart any more. On CollegeMsg that is what parts the published 80 from 94; "
          "the default is to keep them"},
         {"(no setting)",
          "in the released code an entity that met nobody attends to a node of zeros at time 0, "
          "here to nothing; and DyGLib merges what is attended to with features of the entity, "
          "where the paper and this have its embedding of the layer below"},
         {"(no setting)",
          "the released code shuffles training facts; here they come in the order of time, and "
          "each sees what it will see when it is asked"},
         {"(no setting)",
          "neither has relations: here each has an embedding, which is a part of neighbours and of "
          "the score"}},
    .options = with_training_options(
        {count_option("width", 100, 1, 1024, "Width of the encoding of times and of embeddings."),
         count_option("layers", 2, 1, 3, "Layers of attention."),
         count_option("neighbours", 20, 1, 100,
                      "How many neighbours of each entity are attended to in each layer."),
         {.name = "sample",
          .fallback = std::string("recent"),
          .doc = "Which of them: the last ones, the first ones, or any.",
          .choices = {"recent", "uniform", "earliest"}},
         {.name = "residual",
          .fallback = false,
          .doc = "Whether queries are added to what is attended to, and normalised."}},
        false),
    .unit = Unit::kFact,
    .draws = true,
    .events = make,
    .event_bytes = bytes};

}  // namespace cupel
