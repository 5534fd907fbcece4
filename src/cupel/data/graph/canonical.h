// From entries in any order to the invariants of Csr.
#pragma once

#include "cupel/base/matrix.h"

namespace cupel {

// Sorts the columns of each row, merges repeated entries by summing them in stored order (as
// SciPy's sum_duplicates does), and makes the matrix a pattern if every value is then 1. Linear
// time. A pattern with repeats counts as ones: the result holds the multiplicities. Requires
// row_ptr to be valid and columns to be in [0, cols).
[[nodiscard]] Csr canonical(Csr matrix);

}  // namespace cupel
