// The dense part of a graph.
#pragma once

#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// The nodes of the k-core, ascending: the largest set in which each has at least k neighbours
// within the set (Seidman 1983). Linear time (Batagelj and Zaversnik 2003, for one k). Requires a
// symmetric graph without self-loops.
[[nodiscard]] std::vector<Index> k_core(const Csr& graph, Index k);

// The nodes of the largest component, ascending; of several, that with the smallest node. Requires
// a symmetric graph.
[[nodiscard]] std::vector<Index> largest_component(const Csr& graph);

}  // namespace cupel
