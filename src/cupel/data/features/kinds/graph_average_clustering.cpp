// Mean local clustering coefficient over all nodes of a graph, those below degree 2 count as 0.
#include "cupel/data/features/parts.h"
#include "cupel/data/stats/graph_set_properties.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  return column(average_clustering(source.adjacency, graph_starts(source), {}));
}

}  // namespace

extern const FeatureKind feature_graph_average_clustering;
const FeatureKind feature_graph_average_clustering = {
    "average-clustering", "mean clustering coefficient of the nodes", true, {}, make};

}  // namespace cupel
