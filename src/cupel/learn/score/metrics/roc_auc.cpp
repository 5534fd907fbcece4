// Area under the curve of true against false positives.
#include "cupel/learn/score/metric_entry.h"
#include "cupel/learn/score/outputs.h"

namespace cupel {
namespace {

// Ranked by the only column, or by how far the second is above the first.
double roc_auc_of_classes(const Matrix& scores, std::span<const Index> labels) {
  if (scores.cols == 1) return roc_auc(ranking_by(scores, 0), labels);
  std::vector<double> margin = ranking_by(scores, 1);
  for (Index i = 0; i < scores.rows; ++i) margin[static_cast<std::size_t>(i)] -= scores(i, 0);
  return roc_auc(margin, labels);
}

double roc_auc_of_pool(const Pool& pool, const Options&) { return roc_auc(pool); }

}  // namespace

extern const MetricEntry metric_roc_auc;
const MetricEntry metric_roc_auc = {
    .name = "roc-auc",
    .words = "ROC AUC",
    .doc =
        "probability that a positive (an example of class 1, by the margin of its scores; a "
        "link) scores higher than a negative; ties count half",
    .kept = {"roc-auc"},
    .of_classes = roc_auc_of_classes,
    .two_classes = true,
    .over_tasks = OverTasks::kMean,
    .guess_is_one_of_classes = true,
    .of_pool = roc_auc_of_pool};

}  // namespace cupel
