// Sums of the data set's node attributes over each graph.
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  return sum_over_graphs(source, node_features(source, "attributes"));
}

}  // namespace

extern const FeatureKind feature_graph_attribute_sum;
const FeatureKind feature_graph_attribute_sum = {
    "attribute-sum", "sums of the node attributes", true, {}, make};

}  // namespace cupel
