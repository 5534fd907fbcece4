// Sums over the common neighbours of pairs.
#pragma once

#include <memory>
#include <vector>

#include "cupel/learn/pair_scorer.h"

namespace cupel {

// What a sum becomes, given how many successors the source and predecessors the target has.
using FinishSum = float (*)(double sum, Offset of_source, Offset of_target);

inline float sum_alone(double sum, Offset, Offset) { return static_cast<float>(sum); }

// Scores finish(sum of weight[k]) over the nodes k between source and target, in ascending order.
// `weight` has an entry for each node, or none: all are 1.
//
// A pair costs both rows, or, where one is much longer, the shorter times the logarithm of the
// longer. Where neighbours in the list share a source, its row is marked once and a pair costs the
// other row alone: fastest are pairs ordered by source. All ways add the same numbers in the same
// order. Memory: n / 8 bytes per thread, and a transpose where the graph is directed.
[[nodiscard]] std::unique_ptr<PairScorer> neighbour_sum_scorer(const LinkGraph& graph,
                                                               std::vector<double> weight,
                                                               FinishSum finish, Threads threads);

// 1 / f(d) for each node, d its neighbours or, where the graph is directed, its arcs in and out; 0
// for nodes with fewer than two, which stand between no two nodes.
[[nodiscard]] std::vector<double> inverse_of_degrees(const LinkGraph& graph, double (*f)(double));

}  // namespace cupel
