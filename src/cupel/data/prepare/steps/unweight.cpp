// Weights are forgotten; explicit zeros stay entries.
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

void apply(Dataset& dataset, Index) { dataset.adjacency.values = {}; }

}  // namespace

extern const StepKind step_unweight;
const StepKind step_unweight = {.name = "unweight",
                                .doc = "every stored adjacency value becomes 1",
                                .place = 10,
                                .apply = apply};

}  // namespace cupel
