// Groups of nodes that are copies of one another, by what "the same" means.
//
// Pure functions, safe from any thread, in time near-linear in the entries read; every comparison
// is of the values themselves, hashes only find candidates.
#pragma once

#include <span>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/dataset.h"

namespace cupel {

// Groups of two or more nodes; each ascends, the groups are ordered by their first node.
using Groups = std::vector<std::vector<Index>>;

// The copies that leak between training and test in the Wikipedia article networks (Platonov et
// al., ICLR 2023, section 3). Group the nodes by label and set of out-neighbours; a node is a copy
// if no arc enters it and an arc enters at least one other node of its group. The paper's words
// ("another node with the same regression target and the same out-neighbours") would also take the
// groups that no arc enters at all; its released files keep those, and this rule gives the files:
// 2978 nodes of squirrel, 1387 of chameleon. Nodes that no arc leaves are never
// copies: nothing but the label would be the same. A self-loop counts as an arc in both directions,
// an explicit zero as an arc. `directed` as stored, with the direction of its arcs: in a symmetric
// graph only isolated nodes are entered by no arc, and nothing is found. Ascending.
// Throws std::logic_error unless the matrix is square with one label per row.
[[nodiscard]] std::vector<Index> wikipedia_duplicates(const Csr& directed,
                                                      std::span<const Index> labels);
// The groups that hold such copies, whole: copies and the nodes they copy.
[[nodiscard]] Groups wikipedia_groups(const Csr& directed, std::span<const Index> labels);

// Nodes with equal rows of features, compared by value: 0 and an entry that is not stored are the
// same, as are 0 and -0. Rows without any non-zero are left out: they say nothing, so they are no
// copies of one another (count_zero_rows()).
[[nodiscard]] Groups equal_features(const Features& features);
[[nodiscard]] Index count_zero_rows(const Features& features);

// Neighbours from which on equal ones are worth counting apart: fewer are easily equal by chance,
// as in any graph of citations. (What chance explains of copies is in node_copies.h.)
inline constexpr Offset kTelling = 3;

// Of each node, the number of its group; -1 for a node of none.
[[nodiscard]] std::vector<Index> group_of_node(const Groups& groups, Index nodes);

// Nodes with the same label and the same set of neighbours in `undirected` (a symmetric pattern).
// Nodes with fewer than `least` neighbours are left out. Neighbours of one another are never
// found, as neither is its own neighbour.
[[nodiscard]] Groups equal_neighbours(const Csr& undirected, std::span<const Index> labels,
                                      Index least);

}  // namespace cupel
