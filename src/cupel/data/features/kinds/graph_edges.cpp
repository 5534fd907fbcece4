// |E|, undirected.
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  std::vector<double> values;
  for (const GraphSize& graph : graph_sizes(source))
    values.push_back(0.5 * static_cast<double>(graph.entries));
  return column(values);
}

}  // namespace

extern const FeatureKind feature_graph_edges;
const FeatureKind feature_graph_edges = {"edges", "number of undirected edges", true, {}, make};

}  // namespace cupel
