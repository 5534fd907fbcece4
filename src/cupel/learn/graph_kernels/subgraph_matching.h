// Subgraph matching kernel. Kriege and Mutzel, "Subgraph matching kernels for attributed graphs",
// ICML 2012, with equality of labels as the kernel on nodes and on arcs, and weight 1 for every
// size up to k.
//
// The paper enumerates, for each pair of graphs, the c-connected cliques of their product graph. A
// clique of s vertices is an isomorphism between two induced subgraphs of s nodes, connected
// because the clique is c-connected. An isomorphism class H of subgraphs thus contributes
// |Aut(H)| n_G(H) n_G'(H), n_G(H) being the number of connected induced subgraphs of G in H: the
// kernel is an inner product of histograms, and each graph is searched once instead of once for
// each other graph.
#pragma once

#include "cupel/learn/graph_kernels/gram.h"
#include "cupel/learn/graph_kernels/labelled_graphs.h"

namespace cupel {

inline constexpr int kLargestMatch = 7;  // nodes of a subgraph

// Features are the classes of connected induced subgraphs of 1 .. k nodes that are isomorphic with
// equal labels; their weights are the numbers of their automorphisms. The same on any number of
// threads. Throws Error if k labels of nodes, or of its arcs, do not fit 64 bits, which more than
// 4096 node labels with k = 5 do not. Throws Interrupted or TimedOut, a millisecond or so late.
[[nodiscard]] Histograms sm_histograms(const LabelledGraphs& graphs, int k, Threads threads,
                                       const RunLimits& limits = {});

// Number of subgraphs that sm_histograms visits: estimated from walks down the tree of subgraphs
// (Knuth, "Estimating the efficiency of backtrack programs", 1975), within tens of percent; exact
// on sets with few nodes up to chance. The same on every call.
[[nodiscard]] double sm_operations(const LabelledGraphs& graphs, int k);
// Throws Error if that is above `limit`. `who` begins the message.
void refuse_large_sm(const std::string& who, const LabelledGraphs& graphs, int k,
                     double limit = 1e11);

}  // namespace cupel
