// Average degree / nodes ("avgd" of Li et al. 2024): close to the density of the graph.
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  std::vector<double> values;
  for (const GraphSize& graph : graph_sizes(source))
    values.push_back(graph.nodes == 0 ? 0 : graph.average_degree() / graph.nodes);
  return column(values);
}

}  // namespace

extern const FeatureKind feature_graph_average_degree_over_nodes;
const FeatureKind feature_graph_average_degree_over_nodes = {
    "average-degree-over-nodes", "mean degree / nodes, 0 without nodes", true, {}, make};

}  // namespace cupel
