// Local clustering coefficient: joined pairs of neighbours / all pairs, 0 below degree 2.
#include "cupel/data/features/features.h"
#include "cupel/data/stats/triangles.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  const SimpleGraph graph(source.adjacency, {});
  const std::vector<std::uint64_t> triangles = triangles_of_nodes(graph, {});
  Matrix out(source.adjacency.rows, 1);
  for (std::size_t v = 0; v < triangles.size(); ++v) {
    const double degree = graph.degree(static_cast<Index>(v));
    if (degree < 2) continue;
    out(graph.original()[v], 0) =
        static_cast<float>(2 * static_cast<double>(triangles[v]) / (degree * (degree - 1)));
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_clustering;
const FeatureKind feature_clustering = {
    "clustering", "share of the node's pairs of neighbours that are joined", false, {}, make};

}  // namespace cupel
