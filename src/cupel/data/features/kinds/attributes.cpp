// Continuous node attributes of a set of graphs.
#include "cupel/base/error.h"
#include "cupel/data/features/features.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  if (source.graphs == nullptr || source.graphs->node_attributes.cols == 0) {
    fail(
        "feature 'attributes': the data set's nodes have no attributes; 'labels' stands for what "
        "it calls features");
  }
  return source.graphs->node_attributes;
}

}  // namespace

extern const FeatureKind feature_attributes;
const FeatureKind feature_attributes = {
    "attributes", "node attributes that came with a set of graphs", false, {}, make};

}  // namespace cupel
