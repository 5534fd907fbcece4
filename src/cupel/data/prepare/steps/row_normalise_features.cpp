// Rows of features that sum to 1 in absolute values. Rows of zeros stay.
#include <cmath>
#include <span>

#include "cupel/data/prepare/step.h"

namespace cupel {
namespace {

void normalise(std::span<float> row) {
  double norm = 0;
  for (const float v : row) norm += std::fabs(v);
  if (norm == 0) return;
  for (float& v : row) v = static_cast<float>(v / norm);
}

void apply(Dataset& dataset, Index) {
  if (auto* sparse = std::get_if<Csr>(&dataset.features)) {
    if (sparse->is_pattern()) sparse->values.assign(sparse->columns.size(), 1.0f);
    for (Index i = 0; i < sparse->rows; ++i) {
      normalise({sparse->values.data() + sparse->row_ptr[i],
                 static_cast<std::size_t>(sparse->row_size(i))});
    }
    return;
  }
  auto& dense = std::get<Matrix>(dataset.features);
  for (Index i = 0; i < dense.rows; ++i) {
    normalise({dense.row(i), static_cast<std::size_t>(dense.cols)});
  }
}

}  // namespace

extern const StepKind step_row_normalise_features;
const StepKind step_row_normalise_features = {.name = "row-normalise-features",
                                              .doc = "divide each feature row by its L1 norm",
                                              .place = 80,
                                              .apply = apply};

}  // namespace cupel
