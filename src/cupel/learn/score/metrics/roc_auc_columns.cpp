// ROC AUC as released codes compute it that take the mean over one-hot labels.
#include "cupel/learn/score/metric_entry.h"
#include "cupel/learn/score/outputs.h"

namespace cupel {
namespace {

double roc_auc_columns_of_classes(const Matrix& scores, std::span<const Index> labels) {
  const double second = roc_auc(ranking_by(scores, scores.cols - 1), labels);
  if (scores.cols == 1) return second;
  // Class 0 as the positive class, ranked by its own column: the same as ranking by its negative.
  return (second + roc_auc(ranking_by(scores, 0, -1), labels)) / 2;
}

}  // namespace

extern const MetricEntry metric_roc_auc_columns;
const MetricEntry metric_roc_auc_columns = {
    .name = "roc-auc-columns",
    .words = "ROC AUC-columns",
    .doc = "mean of ROC AUC over both classes, each ranked by its own output",
    .of_classes = roc_auc_columns_of_classes,
    .two_classes = true,
    .form_of = "roc-auc",
    .form = "columns"};

}  // namespace cupel
