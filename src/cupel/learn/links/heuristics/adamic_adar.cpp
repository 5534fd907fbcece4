#include <cmath>

#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/links/heuristics/neighbour_sums.h"

namespace cupel {

std::unique_ptr<PairScorer> adamic_adar_scorer(const LinkGraph& graph, Threads threads) {
  return neighbour_sum_scorer(graph, inverse_of_degrees(graph, std::log), sum_alone, threads);
}

}  // namespace cupel
