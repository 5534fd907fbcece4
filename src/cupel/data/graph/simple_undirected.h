// The simple undirected graph behind a stored adjacency, in the numbering of its nodes.
#pragma once

#include "cupel/base/matrix.h"

namespace cupel {

// The pattern of A + A^T without the diagonal; every stored entry counts, zero or not. A matrix
// that is not square is the caller's bug. Linear time but for rows that have to be sorted. Beside
// the result it takes 16 bytes per node, and never a transposed copy.
[[nodiscard]] Csr simple_undirected(const Csr& graph);

}  // namespace cupel
