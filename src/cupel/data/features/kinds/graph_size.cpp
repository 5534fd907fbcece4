// |V| + |E|, the one number behind part of the "GraphKernel" column of Li et al. 2024 ("invariant"
// of their code).
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  std::vector<double> values;
  for (const GraphSize& graph : graph_sizes(source))
    values.push_back(graph.nodes + 0.5 * static_cast<double>(graph.entries));
  return column(values);
}

}  // namespace

extern const FeatureKind feature_graph_size;
const FeatureKind feature_graph_size = {"size", "nodes + edges", true, {}, make};

}  // namespace cupel
