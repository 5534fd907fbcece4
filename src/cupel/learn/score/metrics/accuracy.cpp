// Share of right answers.
#include "cupel/learn/score/classes.h"
#include "cupel/learn/score/metric_entry.h"

namespace cupel {

extern const MetricEntry metric_accuracy;
const MetricEntry metric_accuracy = {
    .name = "accuracy",
    .words = "accuracy",
    .doc = "share of examples whose largest score is at the label; ties go to the lowest class",
    .kept = {"accuracy"},
    .of_classes = accuracy,
    .over_tasks = OverTasks::kAllAnswers,
    .counts_hits = true,
    .guess_is_one_of_classes = true};

}  // namespace cupel
