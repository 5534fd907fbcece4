// Mean recall of the classes.
#include <map>
#include <utility>

#include "cupel/learn/score/classes.h"
#include "cupel/learn/score/metric_entry.h"

namespace cupel {
namespace {

double balanced_accuracy_of_classes(const Matrix& scores, std::span<const Index> labels) {
  std::map<Index, std::pair<int, int>> hits_of;  // hits and rows of each class
  for (Index i = 0; i < scores.rows; ++i) {
    auto& [hits, rows] = hits_of[labels[i]];
    hits += chosen_class(scores, i) == labels[i];
    ++rows;
  }
  double sum = 0;
  for (const auto& [label, of] : hits_of) sum += static_cast<double>(of.first) / of.second;
  return sum / static_cast<double>(hits_of.size());
}

}  // namespace

extern const MetricEntry metric_balanced_accuracy;
const MetricEntry metric_balanced_accuracy = {
    .name = "balanced-accuracy",
    .words = "balanced accuracy",
    .doc =
        "mean recall of the classes that are there; with two classes, what is called ROC AUC "
        "where it is computed from predicted labels",
    .kept = {"balanced-accuracy"},
    .of_classes = balanced_accuracy_of_classes,
    .over_tasks = OverTasks::kMean,
    .guess_is_one_of_classes = true};

}  // namespace cupel
