#include "cupel/learn/score/classes.h"

#include <algorithm>

namespace cupel {

Index chosen_class(const Matrix& scores, Index row) {
  const float* of = scores.row(row);
  return scores.cols == 1 ? Index{of[0] > 0}
                          : static_cast<Index>(std::max_element(of, of + scores.cols) - of);
}

double accuracy(const Matrix& scores, std::span<const Index> labels) {
  Index hits = 0;
  for (Index i = 0; i < scores.rows; ++i) hits += chosen_class(scores, i) == labels[i];
  return static_cast<double>(hits) / static_cast<double>(scores.rows);
}

}  // namespace cupel
