// Row sums of A o A^2: twice the triangles through each node of the simple undirected graph
// ("tri_cycle" of Li et al. 2024).
#include "cupel/data/stats/triangles.h"
#include "cupel/data/features/features.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  const SimpleGraph graph(source.adjacency, {});
  const std::vector<std::uint64_t> triangles = triangles_of_nodes(graph, {});
  Matrix out(source.adjacency.rows, 1);
  for (std::size_t v = 0; v < triangles.size(); ++v)
    out(graph.original()[v], 0) = static_cast<float>(2 * triangles[v]);
  return out;
}

}  // namespace

extern const FeatureKind feature_triangles;
const FeatureKind feature_triangles = {
    "triangles", "twice the triangles through the node", false, {}, make};

}  // namespace cupel
