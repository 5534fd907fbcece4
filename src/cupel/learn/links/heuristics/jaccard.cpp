#include "cupel/learn/links/heuristics/heuristics.h"
#include "cupel/learn/links/heuristics/neighbour_sums.h"

namespace cupel {
namespace {

float share(double common, Offset of_source, Offset of_target) {
  const double all = static_cast<double>(of_source + of_target) - common;
  return all > 0 ? static_cast<float>(common / all) : 0.0f;
}

}  // namespace

std::unique_ptr<PairScorer> jaccard_scorer(const LinkGraph& graph, Threads threads) {
  return neighbour_sum_scorer(graph, {}, share, threads);
}

}  // namespace cupel
