// Metrics, computed from scores, with their tie rules stated.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

// Share of rows whose largest score is at the label; ties go to the lowest class. Scores of one
// column are those of the second of two classes, which is chosen where they are above 0.
[[nodiscard]] double accuracy(const Matrix& scores, std::span<const Index> labels);

// Probability that a random node of class 1 ranks above a random node of class 0; ties count half
// (Hanley and McNeil 1982). Throws Error if a class has no node.
[[nodiscard]] double roc_auc(std::span<const double> ranking, std::span<const Index> labels);

// Metrics, by the names used in protocol files:
//   "accuracy"
//   "balanced-accuracy"  the mean over the classes that are there of the share of their rows that
//                        are right; with two classes what is called ROC AUC where it is computed
//                        from predicted labels
//   "macro-f1"         the mean over the classes that have a row or are chosen for one of
//                      2 hits / (rows + times chosen), as scikit-learn computes f1_score with
//                      average="macro"; a class without a hit adds 0
//   "roc-auc"          two classes; ranks by the only column, or by column 1 minus column 0
//   "roc-auc-column"   ranks by column 1 alone
//   "roc-auc-columns"  the mean over both classes, each ranked by its own column
// The last two are what some released codes compute from raw outputs.
// Throws Error for an unknown name (with the known ones), for
// scores whose shape does not fit the labels, and for NaN.
[[nodiscard]] double metric(const std::string& name, const Matrix& scores,
                            std::span<const Index> labels);
[[nodiscard]] std::vector<std::string> metric_names();

// The same names for scores of several binary tasks, examples x tasks, of which a score above 0
// means yes. `tasks`: 0, 1 or NaN (not known), of the same shape.
//   "roc-auc"            the mean over tasks of ROC AUC over the examples whose answer is known; a
//                        task in which these are all of one class is left out, as by the evaluator
//                        of the Open Graph Benchmark (Hu et al. 2020)
//   "balanced-accuracy", "macro-f1"  the same mean of these, yes and no being the classes
//   "accuracy"           share of all known answers, of whichever task, that are right
// Throws Error for the forms of "roc-auc", which read two outputs of one label, and where the
// metric is not defined.
[[nodiscard]] double task_metric(const std::string& name, const Matrix& scores,
                                 const Matrix& tasks);
[[nodiscard]] std::vector<std::string> task_metric_names();
// Those that every run keeps, where they are defined, whatever it was selected by.
[[nodiscard]] std::vector<std::string> kept_metric_names();
// Whether some answer is known, or, of what is a mean over tasks, whether some task has both.
[[nodiscard]] bool is_defined(const std::string& name, const Matrix& tasks);

// What else scores say beside the metric that they were selected by: every one of
// kept_metric_names() that is defined for them and is not `but`. In their order.
[[nodiscard]] std::vector<std::pair<std::string, double>> other_metrics(
    const std::string& but, const Matrix& scores, std::span<const Index> labels);
[[nodiscard]] std::vector<std::pair<std::string, double>> other_task_metrics(const std::string& but,
                                                                             const Matrix& scores,
                                                                             const Matrix& tasks);

}  // namespace cupel
