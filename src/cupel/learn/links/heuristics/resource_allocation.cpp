#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/links/heuristics/neighbour_sums.h"

namespace cupel {

std::unique_ptr<PairScorer> resource_allocation_scorer(const LinkGraph& graph, Threads threads) {
  const auto itself = [](double degree) { return degree; };
  return neighbour_sum_scorer(graph, inverse_of_degrees(graph, itself), sum_alone, threads);
}

}  // namespace cupel
