// Both directions of every arc, merged: what PyTorch Geometric and DGL make of a directed file.
#include "cupel/data/graph/graph.h"
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

void apply(Dataset& dataset, Index) { dataset.adjacency = symmetrise(dataset.adjacency); }

}  // namespace

extern const StepKind step_symmetrise;
const StepKind step_symmetrise = {
    .name = "symmetrise",
    .doc = "A := A + A^T, non-zeros become 1, as PyG and DGL do; self-loops stay",
    .place = 20,
    .apply = apply};

}  // namespace cupel
