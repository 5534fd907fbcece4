// Preferential attachment over time: who has many neighbours gets more.
#include "cupel/learn/events/preferential_attachment.h"
#include "cupel/learn/model.h"

namespace cupel {
namespace {

std::unique_ptr<EventModel> make(const EventWorld& world, const Options& settings, StreamKey,
                                 Threads) {
  return make_preferential_attachment(world, {.typed = settings.flag("typed")});
}

std::size_t bytes(const EventWorld& world, const Options&, Offset facts) {
  return 190 * static_cast<std::size_t>(facts) + 48 * static_cast<std::size_t>(world.relations);
}

}  // namespace

extern const ModelEntry model_past_degree_product;
const ModelEntry model_past_degree_product = {
    .name = "past-degree-product",
    .title = "Preferential attachment over time",
    .citation = "Barabási and Albert, Emergence of scaling in random networks, Science 1999",
    .equations = {"score(s, r, o) = d(s) d(o) in the graph learnt so far"},
    .disagreements = {},
    .options = {{.name = "typed",
                 .fallback = false,
                 .doc =
                     "Degrees by the relation that is asked about, in its direction, or by all."}},
    .unit = Unit::kFact,
    .events = make,
    .event_bytes = bytes};

}  // namespace cupel
