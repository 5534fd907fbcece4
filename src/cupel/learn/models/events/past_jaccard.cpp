// Jaccard coefficient over time: events/shared_neighbours.h.
#include "cupel/learn/events/neighbour_model.h"

namespace cupel {

extern const ModelEntry model_past_jaccard;
const ModelEntry model_past_jaccard = {
    .name = "past-jaccard",
    .title = "Jaccard coefficient over time",
    .citation = "Jaccard, 1901; as a predictor of links: Liben-Nowell and Kleinberg, JASIST 2007",
    .equations = {"score(s, r, o) = |G(s) and G(o)| / |G(s) or G(o)|, neighbours in the graph "
                  "learnt so far"},
    .disagreements = {},
    .options = neighbour_options(),
    .unit = Unit::kFact,
    .events = make_neighbour_model<SharedNeighbours::jaccard>,
    .event_bytes = neighbour_bytes};

}  // namespace cupel
