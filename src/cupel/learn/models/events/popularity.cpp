// What many had will be had by many.
#include "cupel/learn/events/popularity.h"

#include "cupel/learn/model.h"

namespace cupel {
namespace {

std::unique_ptr<EventModel> make(const EventWorld& world, const Options& settings, StreamKey,
                                 Threads) {
  return make_popularity(world, {.steps = settings.integer("steps")});
}

std::size_t bytes(const EventWorld& world, const Options&, Offset facts) {
  return 150 * static_cast<std::size_t>(facts) + 48 * static_cast<std::size_t>(world.relations);
}

}  // namespace

extern const ModelEntry model_popularity;
const ModelEntry model_popularity = {
    .name = "popularity",
    .title = "Popularity",
    .citation =
        "Horawalavithana et al.: EXPERT: Public benchmarks for dynamic heterogeneous academic "
        "graphs. GLB at WWW 2022.",
    .equations = {"score(s, r, o) = n(r, o): facts of r that ended at o; where the source is "
                  "asked, n(s, r)",
                  "of a relation without direction: n(r, s) + n(r, o), facts of r at either end"},
    .disagreements = {},
    .options = {{.name = "steps",
                 .fallback = std::int64_t{0},
                 .doc = "The last steps of time that count; 0: all.",
                 .min = 0,
                 .max = 1e9}},
    .unit = Unit::kFact,
    .events = make,
    .event_bytes = bytes};

}  // namespace cupel
