// Two classes ranked by what a model gives out.
#pragma once

#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// sign x column, row by row.
inline std::vector<double> ranking_by(const Matrix& scores, Index column, double sign = 1) {
  std::vector<double> out(static_cast<std::size_t>(scores.rows));
  for (Index i = 0; i < scores.rows; ++i)
    out[static_cast<std::size_t>(i)] = sign * scores(i, column);
  return out;
}

}  // namespace cupel
