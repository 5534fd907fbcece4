// Preparation: named, ordered, recorded operations from a stored data set to the one that is
// trained on.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Steps, in the spelling of protocol files:
//   "unweight"               every stored adjacency value becomes 1; explicit zeros stay entries
//   "symmetrise"             A := A + A^T, non-zeros become 1 (duplicates merge, self-loops stay):
//                            what PyTorch Geometric's to_undirected and DGL's WikiCS make
//   "both-directions"        every arc and its reverse, nothing merged: an arc of value m is m
//                            parallel arcs there and m back, a self-loop 2m; values are dropped.
//                            The graph that the released code of Wiki-CS trains on (Mernyei and
//                            Cangea 2020). The result is a multigraph: columns of a row may repeat.
//                            Values that are no whole numbers of at least 0 are refused, and so
//                            are values whose sum is above a million and ten times the entries
//   "drop-self-loops"        remove the diagonal and explicit zeros; parallel arcs stay
//   "largest-component"      keep the largest connected component (of the undirected graph), node
//                            order kept; among equal sizes the one with the smallest node id
//   "drop-small-classes:N"   drop nodes (or graphs) of classes with N or fewer members; nodes
//                            without a label stay
//   "drop-edgeless-graphs"   drop the graphs of a set without an edge, those of at most one node
//                            among them
//   "binarise-features"      every stored feature value becomes 1 (dense features: every non-zero)
//   "row-normalise-features" each feature row divided by its L1 norm; zero rows stay zero
// Where examples (nodes, or graphs of a set) are dropped, classes left without one go and the
// others are renumbered in order; stored splits follow what remains, and a split that loses all of
// a part is dropped. On a set of graphs, "unweight", "symmetrise" and "drop-self-loops" find
// nothing to do. Throws Error naming an unknown step (with the nearest known one), a bad argument,
// or a step that does not suit the data: "largest-component" and "both-directions" a set of graphs,
// "drop-edgeless-graphs" one graph.
[[nodiscard]] Dataset prepare(Dataset dataset, const std::vector<std::string>& steps);

// One line per step, for cards: name and what it does. A step is a file in steps/ (step.h).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> preparation_steps();

}  // namespace cupel
