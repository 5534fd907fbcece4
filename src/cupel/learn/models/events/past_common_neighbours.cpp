// Common neighbours over time: events/shared_neighbours.h.
#include "cupel/learn/events/neighbour_model.h"

namespace cupel {

extern const ModelEntry model_past_common_neighbours;
const ModelEntry model_past_common_neighbours = {
    .name = "past-common-neighbours",
    .title = "Common neighbours over time",
    .citation =
        "Liben-Nowell and Kleinberg, The link-prediction problem for social networks, JASIST 2007",
    .equations = {"score(s, r, o) = |G(s) and G(o)|, neighbours in the graph learnt so far"},
    .disagreements = {},
    .options = neighbour_options(),
    .unit = Unit::kFact,
    .events = make_neighbour_model<SharedNeighbours::common>,
    .event_bytes = neighbour_bytes};

}  // namespace cupel
