// Matrices that models propagate by, made from an adjacency. Entry (i, j) of an adjacency is the
// arc i -> j; row i of an operator says whom node i collects from.
#pragma once

#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Without values: every entry 1.
[[nodiscard]] Csr pattern_of(Csr matrix);

// A + I: one more self-loop at every node, also where there is one, which then weighs 2.
[[nodiscard]] Csr one_more_self_loop(const Csr& matrix);

// D^-1 M, D the row sums of M: weighted means. Rows that sum to 0 become 0.
[[nodiscard]] Csr mean_operator(Csr matrix);

// D^-1/2 M D^-1/2, D the row sums of M, for both ends also where M is not symmetric; 0 for an end
// that sums to 0. Entries of M are not negative.
[[nodiscard]] Csr symmetric_operator(Csr matrix);

// Pairs joined by a path of exactly two arcs, the shorter ones excluded:
// [(A + I)^2 > 0] - [(A + I) > 0]. Time and memory grow with the paths of length two.
[[nodiscard]] Csr two_hop_pattern(const Csr& adjacency);

// A'(r(u), r(v)) = A(u, v), r the order in which nodes first appear in the list of edges: sorted
// rows, source before target, each edge of an undirected graph once with the smaller end first.
// Graph libraries number nodes so when they are given nothing but edges; code that then looks up
// features and labels by file order sees a graph of other nodes. Nodes without edges come last.
[[nodiscard]] Csr first_appearance_order(const Csr& adjacency);

// Graphs x nodes of a set of graphs, from the first node of each graph (graphs + 1): every node of
// the graph, with weight 1 or, averaged, 1 / number of them. Graphs without nodes have empty rows.
[[nodiscard]] Csr member_operator(const std::vector<Index>& start, bool mean);

}  // namespace cupel
