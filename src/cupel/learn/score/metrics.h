// Metrics, computed from scores, with their tie rules stated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Share of rows whose largest score is at the label; ties go to the lowest class.
[[nodiscard]] double accuracy(const Matrix& scores, std::span<const Index> labels);

// By the name used in protocol files. Throws Error for an unknown name (with the known ones), for
// scores whose shape does not fit the labels, and for NaN.
[[nodiscard]] double metric(const std::string& name, const Matrix& scores,
                            std::span<const Index> labels);
[[nodiscard]] std::vector<std::string> metric_names();

}  // namespace cupel
