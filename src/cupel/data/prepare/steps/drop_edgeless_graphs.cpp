// The graphs of a set that have an edge.
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

void apply(Dataset& dataset, Index) {
  const std::vector<Index>& start = dataset.graphs->start;
  const std::vector<Offset>& arcs = dataset.adjacency.row_ptr;
  keep_where(
      dataset, [&](Index g) { return arcs[start[g]] < arcs[start[g + 1]]; },
      "step 'drop-edgeless-graphs' leaves no graph, none has an edge; leave the step out");
}

}  // namespace

extern const StepKind step_drop_edgeless_graphs;
const StepKind step_drop_edgeless_graphs = {.name = "drop-edgeless-graphs",
                                            .doc = "drop the graphs of a set that have no edge",
                                            .place = 60,
                                            .apply = apply,
                                            .suits = StepFor::kSetOfGraphs};

}  // namespace cupel
