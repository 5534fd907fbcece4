// Rows of A^k of each node's graph: walks of k steps to each node of the graph ("kadj" of Li et
// al. 2024). All graphs share the columns, so there are as many as the largest graph has nodes, and
// a few more.
#include <algorithm>
#include <limits>

#include "cupel/base/error.h"
#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

constexpr Offset kMostEntries = 1'000'000'000;  // 8 GB

Features make(const FeatureSource& source, const Options& settings) {
  const Csr& graph = source.adjacency;
  const std::vector<Index> start = graph_starts(source);
  Index widest = 0;
  for (std::size_t g = 0; g + 1 < start.size(); ++g)
    widest = std::max(widest, start[g + 1] - start[g]);
  Csr out;
  out.rows = graph.rows;
  out.cols = widest + static_cast<Index>(settings.integer("pad"));
  std::vector<double> walks(static_cast<std::size_t>(widest)), longer(walks.size());
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    const Index first = start[g];
    const auto nodes = static_cast<std::size_t>(start[g + 1] - first);
    for (Index i = first; i < start[g + 1]; ++i) {
      std::fill_n(walks.begin(), nodes, 0.0);
      walks[static_cast<std::size_t>(i - first)] = 1;
      for (std::int64_t step = 0; step < settings.integer("k"); ++step) {
        std::fill_n(longer.begin(), nodes, 0.0);
        for (std::size_t v = 0; v < nodes; ++v) {
          if (walks[v] == 0) continue;
          for (const Index w : graph.row_columns(first + static_cast<Index>(v)))
            longer[static_cast<std::size_t>(w - first)] += walks[v];
        }
        std::swap(walks, longer);
      }
      for (std::size_t v = 0; v < nodes; ++v) {
        if (walks[v] == 0) continue;
        if (walks[v] > std::numeric_limits<float>::max()) {
          fail(
              "feature 'adjacency-power': A^{} of this data set has entries larger than a float32 "
              "holds; take a smaller k",
              settings.integer("k"));
        }
        out.columns.push_back(static_cast<Index>(v));
        out.values.push_back(static_cast<float>(walks[v]));
      }
      out.row_ptr.push_back(static_cast<Offset>(out.columns.size()));
      if (out.entries() > kMostEntries) {
        fail(
            "feature 'adjacency-power': A^{} of this data set has more than {} entries; take a "
            "smaller k",
            settings.integer("k"), kMostEntries);
      }
    }
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_adjacency_power;
const FeatureKind feature_adjacency_power = {
    "adjacency-power",
    "walks of k steps from the node to each node of its graph, in stored order",
    false,
    {{"k", std::int64_t{2}, "steps", 1, 16, {}},
     {"pad", std::int64_t{10}, "columns beyond those of the largest graph", 0, 1'000'000, {}}},
    make};

}  // namespace cupel
