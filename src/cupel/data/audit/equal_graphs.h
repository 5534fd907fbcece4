// Graphs of a set that are the same but for the order of their nodes.
#pragma once

#include <cstdint>

#include "cupel/data/audit/groups.h"
#include "cupel/data/dataset.h"

namespace cupel {

// What must be equal besides the edges.
struct GraphAspects {
  bool node_labels = true;      // Dataset::features
  bool node_attributes = true;  // by value, 0 and -0 are the same
  bool arc_attributes = true;
};

// What a search may cost, in neighbours looked at. One comparison takes about as many as there are
// arcs, unless the graphs are so regular that refining colours does not tell their nodes apart.
struct IsomorphismEffort {
  std::int64_t comparison = 20'000'000;
  std::int64_t all = 2'000'000'000;
};

struct EqualGraphs {
  Groups groups;         // of graphs, see groups.h
  Offset undecided = 0;  // graphs of which a comparison was given up and none succeeded
};

// Groups of isomorphic graphs; graphs without nodes are in none. Exact: colours are refined
// (Weisfeiler and Leman 1968) within each component to find candidates, components of two
// candidates are matched, and of two components a mapping of the nodes is searched for that keeps
// edges and the aspects. A graph is compared with one of each group of its candidates. Where the
// effort runs out, graphs count as different and as undecided. Time near-linear in entries where
// it does not. Throws std::logic_error if the data set is no set of graphs.
[[nodiscard]] EqualGraphs equal_graphs(const Dataset& dataset, GraphAspects aspects = {},
                                       IsomorphismEffort effort = {});

}  // namespace cupel
