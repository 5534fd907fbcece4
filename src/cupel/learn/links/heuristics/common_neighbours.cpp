#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/links/heuristics/neighbour_sums.h"

namespace cupel {

std::unique_ptr<PairScorer> common_neighbours_scorer(const LinkGraph& graph, Threads threads) {
  return neighbour_sum_scorer(graph, {}, sum_alone, threads);
}

}  // namespace cupel
