// Features that are there or not.
#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

void apply(Dataset& dataset, Index) {
  if (auto* sparse = std::get_if<Csr>(&dataset.features)) {
    sparse->values = {};
    return;
  }
  for (float& v : std::get<Matrix>(dataset.features).values) v = v == 0.0f ? 0.0f : 1.0f;
}

}  // namespace

extern const StepKind step_binarise_features;
const StepKind step_binarise_features = {.name = "binarise-features",
                                         .doc = "every stored feature value becomes 1",
                                         .place = 70,
                                         .apply = apply};

}  // namespace cupel
