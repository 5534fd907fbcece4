// Resource allocation over time: events/shared_neighbours.h.
#include "cupel/learn/events/neighbour_model.h"

namespace cupel {

extern const ModelEntry model_past_resource_allocation;
const ModelEntry model_past_resource_allocation = {
    .name = "past-resource-allocation",
    .title = "Resource allocation over time",
    .citation =
        "Zhou, Lü and Zhang, Predicting missing links via local information, European Physical "
        "Journal B 2009",
    .equations = {"score(s, r, o) = sum of 1 / d(z) over z in G(s) and G(o), neighbours in the "
                  "graph learnt so far"},
    .disagreements = {},
    .options = neighbour_options(),
    .unit = Unit::kFact,
    .events = make_neighbour_model<SharedNeighbours::resource_allocation>,
    .event_bytes = neighbour_bytes};

}  // namespace cupel
