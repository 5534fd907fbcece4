// Sums of the attributes of the arcs that lead to each node, as Li et al. 2024 do for PPA.
#include "cupel/base/error.h"
#include "cupel/data/features/features.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  if (source.graphs == nullptr || source.graphs->arc_attributes.cols == 0) {
    fail("feature 'edge-attributes': the data set's edges have no attributes");
  }
  const Matrix& attributes = source.graphs->arc_attributes;
  Matrix out(source.adjacency.rows, attributes.cols);
  for (Index i = 0; i < source.adjacency.rows; ++i) {
    for (Offset at = source.adjacency.row_ptr[i]; at < source.adjacency.row_ptr[i + 1]; ++at) {
      float* const sum = out.row(source.adjacency.columns[static_cast<std::size_t>(at)]);
      const float* const row = attributes.row(static_cast<Index>(at));
      for (Index j = 0; j < out.cols; ++j) sum[j] += row[j];
    }
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_edge_attributes;
const FeatureKind feature_edge_attributes = {
    "edge-attributes", "sums of the attributes of the arcs to the node", false, {}, make};

}  // namespace cupel
