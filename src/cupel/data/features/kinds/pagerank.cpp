// PageRank on the union of all graphs ("use_pagerank" of Li et al. 2024, 50 equal columns).
//
// Page, Brin, Motwani, Winograd 1999: the stationary distribution of a walk that follows an arc
// with probability `damping` and else starts anew at any node; from a node without arcs it always
// does. Iterated until the sum of changes is below 1e-10 (NetworkX stops at 1e-6 times the nodes).
#include <cmath>

#include "cupel/data/features/parts.h"

namespace cupel {
namespace {

constexpr int kMostSteps = 10'000;  // damping 0.99 needs 2300
constexpr double kClose = 1e-10;

Features make(const FeatureSource& source, const Options& settings) {
  const Csr& graph = source.adjacency;
  check_dense(graph.rows, settings.integer("repeat"), "feature 'pagerank'", "lower its 'repeat'");
  const double damping = settings.real("damping"), nodes = graph.rows;
  std::vector<double> rank(static_cast<std::size_t>(graph.rows), 1 / nodes), next(rank.size());
  for (int step = 0; step < kMostSteps; ++step) {
    double lost = 0;
    for (Index i = 0; i < graph.rows; ++i) {
      if (graph.row_size(i) == 0) lost += rank[static_cast<std::size_t>(i)];
    }
    next.assign(next.size(), (1 - damping + damping * lost) / nodes);
    for (Index i = 0; i < graph.rows; ++i) {
      const double share =
          damping * rank[static_cast<std::size_t>(i)] / static_cast<double>(graph.row_size(i));
      for (const Index j : graph.row_columns(i)) next[static_cast<std::size_t>(j)] += share;
    }
    double change = 0;
    for (std::size_t i = 0; i < rank.size(); ++i) change += std::abs(next[i] - rank[i]);
    std::swap(rank, next);
    if (change < kClose) break;
  }
  Matrix out(graph.rows, static_cast<Index>(settings.integer("repeat")));
  for (Index i = 0; i < out.rows; ++i) {
    for (Index j = 0; j < out.cols; ++j)
      out(i, j) = static_cast<float>(rank[static_cast<std::size_t>(i)]);
  }
  return out;
}

}  // namespace

extern const FeatureKind feature_pagerank;
const FeatureKind feature_pagerank = {
    "pagerank",
    "the node's PageRank within all graphs together",
    false,
    {{"damping", 0.85, "probability of following an arc", 0, 0.99, {}},
     {"repeat", std::int64_t{1}, "equal columns", 1, 100'000, {}}},
    make};

}  // namespace cupel
