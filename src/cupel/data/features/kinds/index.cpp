// The number of each node within its graph, from 1.
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  Matrix out(source.adjacency.rows, 1);
  const std::vector<Index> start = graph_starts(source);
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    for (Index i = start[g]; i < start[g + 1]; ++i)
      out(i, 0) = static_cast<float>(i - start[g] + 1);
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_index;
const FeatureKind feature_index = {
    "index", "the node's number within its graph, from 1, in stored order", false, {}, make};

}  // namespace cupel
