// Sorting the columns of a row.
#pragma once

#include <span>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Ascending. All values are in [0, 2^bits). `space` is overwritten; keep it for the next row.
void sort_row(std::span<Index> row, std::vector<Index>& space, int bits);

// The least bits for values of at most `largest`.
[[nodiscard]] int bits_of(Index largest);

}  // namespace cupel
