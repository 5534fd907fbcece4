// Distances between rows of a kernel matrix, for kernels on those rows.
#pragma once

#include <vector>

#include "cupel/base/limits.h"
#include "cupel/base/matrix.h"

namespace cupel {

// Squared distance of each row of `features` (rows x columns, row-major) to each of the first
// `columns` rows: rows x columns. Those first rows must be symmetric (they are the kernel of the
// columns with each other). From inner products, each a chain of fused multiply-adds: exact to
// about 1e-16 of the larger row's square; 0 from a row to itself; never negative. Throws
// Interrupted or TimedOut.
[[nodiscard]] std::vector<double> squared_row_distances(const std::vector<double>& features,
                                                        Index rows, Index columns,
                                                        const RunLimits& limits = {});

}  // namespace cupel
