// What scores of classes choose.
#pragma once

#include <span>

#include "cupel/base/matrix.h"

namespace cupel {

// The class that a row of scores chooses: that of the largest, the lowest of equals. Scores of one
// column are those of the second of two classes, which is chosen where they are above 0.
[[nodiscard]] Index chosen_class(const Matrix& scores, Index row);

// Share of rows whose chosen class is the label.
[[nodiscard]] double accuracy(const Matrix& scores, std::span<const Index> labels);

}  // namespace cupel
