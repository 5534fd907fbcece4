// Cycles of a graph's cycle basis, by length (stats/cycle_basis.h).
#include "cupel/data/features/parts.h"
#include "cupel/data/stats/graph_set_properties.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options& settings) {
  const std::vector<Index> lengths = cycle_lengths(source, settings);
  const std::vector<Index> start = graph_starts(source);
  Matrix out(static_cast<Index>(start.size()) - 1, static_cast<Index>(lengths.size()));
  const auto counts = basis_cycles(source.adjacency, start, lengths, {});
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    for (Index g = 0; g < out.rows; ++g)
      out(g, static_cast<Index>(k)) = static_cast<float>(counts[k][static_cast<std::size_t>(g)]);
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_graph_cycles;
const FeatureKind feature_graph_cycles = {"cycles",
                                          "cycles of the graph's cycle basis of each length",
                                          true,
                                          {cycle_lengths_setting()},
                                          make};

}  // namespace cupel
