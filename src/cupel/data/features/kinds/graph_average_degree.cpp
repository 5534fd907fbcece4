// Mean number of neighbours: the whole input of the structural baseline of Li et al. 2024.
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  std::vector<double> values;
  for (const GraphSize& graph : graph_sizes(source)) values.push_back(graph.average_degree());
  return column(values);
}

}  // namespace

extern const FeatureKind feature_graph_average_degree;
const FeatureKind feature_graph_average_degree = {
    "average-degree", "mean degree, 0 without nodes", true, {}, make};

}  // namespace cupel
