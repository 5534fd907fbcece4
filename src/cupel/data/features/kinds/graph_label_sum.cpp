// Sums of the data set's node labels over each graph.
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  return sum_over_graphs(source, node_features(source, "labels"));
}

}  // namespace

extern const FeatureKind feature_graph_label_sum;
const FeatureKind feature_graph_label_sum = {"label-sum", "nodes with each label", true, {}, make};

}  // namespace cupel
