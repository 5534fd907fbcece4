#include "cupel/learn/score/metrics.h"

#include <algorithm>
#include <cmath>

#include "cupel/base/error.h"

namespace cupel {

double accuracy(const Matrix& scores, std::span<const Index> labels) {
  Index hits = 0;
  for (Index i = 0; i < scores.rows; ++i) {
    const float* row = scores.row(i);
    hits += std::max_element(row, row + scores.cols) - row == labels[i];
  }
  return static_cast<double>(hits) / static_cast<double>(scores.rows);
}

double metric(const std::string& name, const Matrix& scores, std::span<const Index> labels) {
  if (static_cast<std::size_t>(scores.rows) != labels.size() || labels.empty())
    fail("scores have {} rows for {} labelled nodes; give one row per node", scores.rows,
         labels.size());
  const auto nan = std::find_if(scores.values.begin(), scores.values.end(),
                                [](float v) { return std::isnan(v); });
  if (nan != scores.values.end())
    fail("the score in row {} is not a number; a model must give finite scores",
         (nan - scores.values.begin()) / scores.cols);
  if (name == "accuracy") return accuracy(scores, labels);
  fail("no metric is called '{}'; known are: {}", name, fmt::join(metric_names(), ", "));
}

std::vector<std::string> metric_names() { return {"accuracy"}; }

}  // namespace cupel
