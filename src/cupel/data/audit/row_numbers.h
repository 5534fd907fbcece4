// Rows of matrices as numbers: equal rows, equal numbers.
#pragma once

#include <vector>

#include "cupel/data/dataset.h"

namespace cupel {

// Numbers from 0, in order of appearance; values are compared, 0 and -0 are the same.
[[nodiscard]] std::vector<Index> number_rows(const Matrix& matrix);
// The nodes of a set of graphs by their features, their attributes or both; all 0 where there are
// none of these.
[[nodiscard]] std::vector<Index> number_nodes(const Dataset& data, bool by_features,
                                              bool by_attributes);

}  // namespace cupel
