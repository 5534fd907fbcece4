// Scores of pairs that follow from the graph, or from the features, without anything learnt.
//
// D. Liben-Nowell and J. Kleinberg, "The link-prediction problem for social networks", JASIST 2007,
// has all but the cosine of features and resource allocation. N(i): the neighbours of i, d(i) their
// number. In a directed graph a pair is the question whether there is an arc from its source to its
// target: what stands between them are successors of the source that are predecessors of the
// target, and each function says what it makes of the rest.
//
// A scorer keeps a reference to the graph's arcs and features. The bits of a score depend on the
// graph, the pair and the settings alone, neither on the other pairs nor on the threads. Sums are
// float64, and rounded once, to float32, at the end. Ids outside the graph are the caller's bug. A
// pair of a node with itself is not asked by any protocol; its score is finite and no more.
#pragma once

#include <memory>

#include "cupel/learn/pair_scorer.h"

namespace cupel {

// |N(i) and N(j)|. Directed: the number of walks of two arcs.
[[nodiscard]] std::unique_ptr<PairScorer> common_neighbours_scorer(const LinkGraph& graph,
                                                                   Threads threads);

// |N(i) and N(j)| / |N(i) or N(j)|, 0 where neither has neighbours (Jaccard 1901). Directed: of
// the successors of the source and the predecessors of the target.
[[nodiscard]] std::unique_ptr<PairScorer> jaccard_scorer(const LinkGraph& graph, Threads threads);

// The sum of 1 / log d(k) over common neighbours k (Adamic and Adar, "Friends and neighbors on the
// Web", Social Networks 2003). A common neighbour of two different nodes has at least two
// neighbours, so that no logarithm is 0. Directed: d counts arcs in and out, which are two at least
// for the same reason.
[[nodiscard]] std::unique_ptr<PairScorer> adamic_adar_scorer(const LinkGraph& graph,
                                                             Threads threads);

// The sum of 1 / d(k) over common neighbours k (Zhou, Lü and Zhang, "Predicting missing links via
// local information", European Physical Journal B 2009). Directed: as above.
[[nodiscard]] std::unique_ptr<PairScorer> resource_allocation_scorer(const LinkGraph& graph,
                                                                     Threads threads);

// d(i) d(j) (Barabási and Albert, "Emergence of scaling in random networks", Science 1999).
// Directed: arcs out of the source times arcs into the target. Products above 2^24 are rounded.
[[nodiscard]] std::unique_ptr<PairScorer> preferential_attachment_scorer(const LinkGraph& graph,
                                                                         Threads threads);

// 1 / distance, 0 where there is no path, 2 from a node to itself. It orders pairs as the negated
// distance does. Directed: along the arcs. 24 bytes per node and thread.
[[nodiscard]] std::unique_ptr<PairScorer> shortest_path_scorer(const LinkGraph& graph,
                                                               Threads threads);

struct KatzSettings {
  double beta = 0.005;  // above 0; for the infinite sum also below 1 / the largest eigenvalue of A
  int length = 0;       // longest walk that counts; 0: all of them
};

// The sum of beta^l (A^l)_ij over lengths l >= 1: walks from i to j (Katz, "A new status index
// derived from sociometric analysis", Psychometrika 1953). The infinite sum is cut where the rest
// of it is below 1e-45 for every pair, which is no positive float32: every term is positive, so
// scores of far pairs are as exact as those of near ones. Throws Error where beta is not above 0,
// the length is negative, or the infinite sum diverges or would take more than 2000 steps.
// Memory: 256 bytes per node and thread; time: see column_solver.h.
[[nodiscard]] std::unique_ptr<PairScorer> katz_scorer(const LinkGraph& graph,
                                                      const KatzSettings& settings,
                                                      Threads threads);

// p_i(j) + p_j(i), where p_i is the share of time at each node of a walk that starts at i, follows
// an arc with probability 1 - alpha and else goes back to i (rooted PageRank of Liben-Nowell and
// Kleinberg). The sum is exact to 1e-12 (d(i) + d(j)) / sqrt(d(i) d(j)). Directed: p_i(j) alone,
// exact to 1e-12 / alpha; from a node without arcs the walk always goes back. Throws Error where
// alpha is not in [0.01, 1]. Memory: as Katz.
[[nodiscard]] std::unique_ptr<PairScorer> personalised_pagerank_scorer(const LinkGraph& graph,
                                                                       double alpha,
                                                                       Threads threads);

// The cosine of the angle between the rows of features, 0 where one has no entry but 0. Direction
// does not matter. 16 bytes per pair that is asked. Throws Error where a feature is not finite.
[[nodiscard]] std::unique_ptr<PairScorer> feature_cosine_scorer(const LinkGraph& graph,
                                                                Threads threads);

}  // namespace cupel
