// No arc from a node to itself. Parallel arcs between different nodes stay.
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

void apply(Dataset& dataset, Index) { dataset.adjacency = drop_self_loops(dataset.adjacency); }

}  // namespace

extern const StepKind step_drop_self_loops;
const StepKind step_drop_self_loops = {.name = "drop-self-loops",
                                       .doc = "remove the diagonal and explicit zeros",
                                       .place = 30,
                                       .apply = apply};

}  // namespace cupel
