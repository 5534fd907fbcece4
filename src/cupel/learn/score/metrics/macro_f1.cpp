// Mean F1 of the classes.
#include <map>

#include "cupel/learn/score/classes.h"
#include "cupel/learn/score/metric_entry.h"

namespace cupel {
namespace {

double macro_f1_of_classes(const Matrix& scores, std::span<const Index> labels) {
  struct Counts {
    int hits = 0, rows = 0, chosen = 0;
  };
  std::map<Index, Counts> counts_of;  // of each class that has a row or is chosen
  for (Index i = 0; i < scores.rows; ++i) {
    const Index choice = chosen_class(scores, i);
    counts_of[labels[i]].hits += choice == labels[i];
    ++counts_of[labels[i]].rows;
    ++counts_of[choice].chosen;
  }
  double sum = 0;
  for (const auto& [label, of] : counts_of) sum += 2.0 * of.hits / (of.rows + of.chosen);
  return sum / static_cast<double>(counts_of.size());
}

}  // namespace

extern const MetricEntry metric_macro_f1;
const MetricEntry metric_macro_f1 = {
    .name = "macro-f1",
    .words = "macro-F1",
    .doc =
        "mean over the classes that have an example or are chosen for one of 2 hits / "
        "(examples + times chosen), scikit-learn's f1_score with average=\"macro\"",
    .kept = {"macro-f1"},
    .of_classes = macro_f1_of_classes,
    .over_tasks = OverTasks::kMean};

}  // namespace cupel
