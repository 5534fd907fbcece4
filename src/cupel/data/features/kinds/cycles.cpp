// Cycles of the cycle basis that each node is in, by length (stats/cycle_basis.h).
#include <algorithm>

#include "cupel/data/features/parts.h"
#include "cupel/data/stats/cycle_basis.h"

namespace cupel {
namespace {

Features make(const FeatureSource& source, const Options& settings) {
  const std::vector<Index> lengths = cycle_lengths(source, settings);
  const std::vector<Index> start = graph_starts(source);
  Matrix out(source.adjacency.rows, static_cast<Index>(lengths.size()));
  CycleBasis basis(source.adjacency);
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    basis.find(start[g], start[g + 1], [&](std::span<const Index> cycle) {
      for (std::size_t k = 0; k < lengths.size(); ++k) {
        if (std::ssize(cycle) != lengths[k]) continue;
        for (const Index v : cycle) out(v, static_cast<Index>(k)) += 1;
      }
    });
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_cycles;
const FeatureKind feature_cycles = {"cycles",
                                    "cycles of the graph's cycle basis that the node is in",
                                    false,
                                    {cycle_lengths_setting()},
                                    make};

}  // namespace cupel
