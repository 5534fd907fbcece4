// Entries of each node's row of the adjacency.
#include "cupel/data/features/features.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  Matrix out(source.adjacency.rows, 1);
  for (Index i = 0; i < out.rows; ++i) out(i, 0) = static_cast<float>(source.adjacency.row_size(i));
  return out;
}

}  // namespace

extern const FeatureKind feature_degree;
const FeatureKind feature_degree = {"degree", "number of neighbours", false, {}, make};

}  // namespace cupel
