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
//   "roc-auc"          two classes; ranks by the only column, or by column 1 minus column 0
//   "roc-auc-column"   ranks by column 1 alone
//   "roc-auc-columns"  the mean over both classes, each ranked by its own column
// The last two are what some released codes compute from raw outputs.
// Throws Error for an unknown name (with the known ones), for
// scores whose shape does not fit the labels, and for NaN.
[[nodiscard]] double metric(const std::string& name, const Matrix& scores,
                            std::span<const Index> labels);
[[nodiscard]] std::vector<std::string> metric_names();

// What else scores say beside the metric that they were selected by: every metric of "accuracy",
// "balanced-accuracy" and "roc-auc" that is defined for them and is not `but`. By name.
[[nodiscard]] std::vector<std::pair<std::string, double>> other_metrics(
    const std::string& but, const Matrix& scores, std::span<const Index> labels);

}  // namespace cupel
