// The recurrency baseline: what has been is what will be.
#include "cupel/learn/events/recurrency.h"

#include "cupel/learn/model.h"

namespace cupel {
namespace {

// Negative: chosen on validation.
std::optional<double> chosen(double value) {
  return value < 0 ? std::nullopt : std::optional<double>(value);
}

std::unique_ptr<EventModel> make(const EventWorld& world, const Options& settings, StreamKey,
                                 Threads) {
  return make_recurrency(world, {.lambda = chosen(settings.real("lambda")),
                                 .alpha = chosen(settings.real("alpha")),
                                 .window = settings.integer("window"),
                                 .unit = settings.integer("unit")});
}

std::size_t bytes(const EventWorld& world, const Options& settings, Offset facts) {
  const std::size_t each = settings.integer("window") == 0 ? 310 : 410;
  return each * static_cast<std::size_t>(facts) + 16 * static_cast<std::size_t>(world.entities);
}

}  // namespace

extern const ModelEntry model_recurrency;
const ModelEntry model_recurrency = {
    .name = "recurrency",
    .title = "Recurrency baseline",
    .citation =
        "Gastinger, Meilicke, Errica, Sztyler, Schuelke, Stuckenschmidt: History repeats itself: "
        "A baseline for temporal knowledge graph forecasting. IJCAI 2024.",
    .equations =
        {"score(s, r, o, t) = alpha psi + (1 - alpha) xi",
         "psi(s, r, o, t) = sum over k with (s, r, o, k) known of 2^(lambda (k - t)) / sum "
         "over k from the first time of r to below its last of 2^(lambda (k - t))",
         "xi(s, r, o, t) = n(r, o) / n(r), facts known",
         "known: before t; where facts are asked by batches, those of t in earlier batches "
         "as well"},
    .disagreements =
        {{"(no setting)",
          "the score of a query without past: in the paper 0, in the code psi of the query before "
          "it; here it is 0"}},
    .options =
        {{.name = "lambda",
          .fallback = -1.0,
          .doc = "How fast the past fades; negative: chosen on validation, by relation and "
                 "direction.",
          .min = -1,
          .max = 100},
         {.name = "alpha",
          .fallback = -1.0,
          .doc =
              "The share of psi in the score: 1 is psi alone; negative: chosen on validation, by "
              "relation and direction.",
          .min = -1,
          .max = 1},
         {.name = "window",
          .fallback = std::int64_t{0},
          .doc =
              "So many units of time before the question count, also for the first time of r; 0: "
              "all.",
          .min = 0,
          .max = 1e15},
         {.name = "unit",
          .fallback = std::int64_t{0},
          .doc = "What lambda and window count in, in the data's units of time; 0: the median "
                 "distance of training's steps of time.",
          .min = 0,
          .max = 1e15}},
    .unit = Unit::kFact,
    .events = make,
    .event_bytes = bytes};

}  // namespace cupel
