// Mean, population standard deviation and sum of the degrees ("stats_degree" of Li et al. 2024).
#include <cmath>

#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options&) {
  const std::vector<Index> start = graph_starts(source);
  const std::vector<GraphSize> sizes = graph_sizes(source);
  Matrix out(static_cast<Index>(sizes.size()), 3);
  for (Index g = 0; g < out.rows; ++g) {
    const GraphSize& size = sizes[static_cast<std::size_t>(g)];
    if (size.nodes == 0) continue;
    const double mean = size.average_degree();
    double squares = 0;
    for (Index i = start[g]; i < start[g + 1]; ++i) {
      const double off = static_cast<double>(source.adjacency.row_size(i)) - mean;
      squares += off * off;
    }
    out(g, 0) = static_cast<float>(mean);
    out(g, 1) = static_cast<float>(std::sqrt(squares / size.nodes));
    out(g, 2) = static_cast<float>(size.entries);
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_graph_degree_statistics;
const FeatureKind feature_graph_degree_statistics = {
    "degree-statistics", "mean, standard deviation and sum of the degrees", true, {}, make};

}  // namespace cupel
