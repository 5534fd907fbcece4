// Operations on graphs held as square Csr matrices: entry (i, j) is the arc i -> j.
//
// Inputs are never changed; results are new values. Time and memory are linear in nodes + entries
// unless said otherwise. An explicit zero is a stored entry like any other unless said otherwise.
// Columns of a row may repeat (a multigraph): each is an arc of its own.
// Safe to call from many threads. A matrix that is not square or an id outside it is the caller's
// bug (std::logic_error); readers check ids first, with a message that names the line.
#pragma once

#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

struct Edge {
  Index source = 0, target = 0;
};

// One arc per distinct edge (repeats merge); a pattern.
[[nodiscard]] Csr from_edges(Index nodes, std::span<const Edge> edges);
// The same with weights, one per edge; those of repeated edges are summed, as SciPy does. The
// result is a pattern if every sum is 1.
[[nodiscard]] Csr from_edges(Index nodes, std::span<const Edge> edges,
                             std::span<const float> weights);

// The pattern of the non-zeros of A + A^T. Parallel arcs merge.
[[nodiscard]] Csr symmetrise(const Csr& graph);

// Without the diagonal and without explicit zeros; other values are kept.
[[nodiscard]] Csr drop_self_loops(const Csr& graph);

// The pattern of A united with the diagonal: one self-loop at every node, also where a multigraph
// has several. Other parallel arcs stay.
[[nodiscard]] Csr add_self_loops(const Csr& graph);

// Components of the graph taken as undirected, numbered by their smallest node. Near-linear time.
struct Components {
  std::vector<Index> of_node;  // per node
  std::vector<Index> sizes;    // per component
};
[[nodiscard]] Components connected_components(const Csr& graph);

// The graph on `nodes` (ascending, distinct); node nodes[k] becomes k. Values follow their entries.
[[nodiscard]] Csr induced_subgraph(const Csr& graph, std::span<const Index> nodes);

// Whether A equals its transpose, values included.
[[nodiscard]] bool is_symmetric(const Csr& graph);

// Pairs {i, j}, i != j, joined by an entry in either direction, each once.
[[nodiscard]] Offset count_undirected_edges(const Csr& graph);

// Entries on the diagonal.
[[nodiscard]] Offset count_self_loops(const Csr& graph);

}  // namespace cupel
