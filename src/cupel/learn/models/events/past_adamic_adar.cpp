// Adamic-Adar over time: events/shared_neighbours.h.
#include "cupel/learn/events/neighbour_model.h"

namespace cupel {

extern const ModelEntry model_past_adamic_adar;
const ModelEntry model_past_adamic_adar = {
    .name = "past-adamic-adar",
    .title = "Adamic-Adar over time",
    .citation = "Adamic and Adar, Friends and neighbors on the Web, Social Networks 2003",
    .equations = {"score(s, r, o) = sum of 1 / ln d(z) over z in G(s) and G(o), neighbours in the "
                  "graph learnt so far"},
    .disagreements = {},
    .options = neighbour_options(),
    .unit = Unit::kFact,
    .events = make_neighbour_model<SharedNeighbours::adamic_adar>,
    .event_bytes = neighbour_bytes};

}  // namespace cupel
