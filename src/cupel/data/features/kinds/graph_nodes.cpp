// |V|.
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  std::vector<double> values;
  for (const GraphSize& graph : graph_sizes(source)) values.push_back(graph.nodes);
  return column(values);
}

}  // namespace

extern const FeatureKind feature_graph_nodes;
const FeatureKind feature_graph_nodes = {"nodes", "number of nodes", true, {}, make};

}  // namespace cupel
