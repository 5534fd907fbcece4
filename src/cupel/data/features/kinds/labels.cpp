// What the data set calls features: for a set of graphs its one-hot node labels.
#include "cupel/base/error.h"
#include "cupel/data/features/features.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  if (feature_count(source.features) == 0) {
    fail(
        "feature 'labels': the data set's nodes have no labels; use features of the graph such as "
        "degree");
  }
  return source.features;
}

}  // namespace

extern const FeatureKind feature_labels;
const FeatureKind feature_labels = {
    "labels",
    "the data set's own features; one-hot node labels in sets of graphs",
    false,
    {},
    make};

}  // namespace cupel
