// ROC AUC as released codes compute it that rank by the raw output of class 1.
#include "cupel/learn/score/metric_entry.h"
#include "cupel/learn/score/outputs.h"

namespace cupel {
namespace {

double roc_auc_column_of_classes(const Matrix& scores, std::span<const Index> labels) {
  return roc_auc(ranking_by(scores, scores.cols - 1), labels);
}

}  // namespace

extern const MetricEntry metric_roc_auc_column;
const MetricEntry metric_roc_auc_column = {
    .name = "roc-auc-column",
    .words = "ROC AUC-column",
    .doc = "ROC AUC of two classes, ranked by output 1 alone",
    .of_classes = roc_auc_column_of_classes,
    .two_classes = true,
    .form_of = "roc-auc",
    .form = "column"};

}  // namespace cupel
