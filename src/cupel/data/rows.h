// Rows of matrices, picked by number.
#pragma once

#include <span>

#include "cupel/data/dataset.h"

namespace cupel {

// The rows of `matrix` that `rows` lists, in that order; each must be a row, and may come again.
// A pattern stays one. Linear in what is copied.
[[nodiscard]] Matrix rows_of(const Matrix& matrix, std::span<const Index> rows);
[[nodiscard]] Csr rows_of(const Csr& matrix, std::span<const Index> rows);
[[nodiscard]] Features rows_of(const Features& features, std::span<const Index> rows);

}  // namespace cupel
