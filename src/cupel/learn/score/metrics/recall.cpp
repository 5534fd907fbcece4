// How much of what is true is said to be.
#include "cupel/learn/score/metric_entry.h"
#include "cupel/learn/score/threshold.h"

namespace cupel {
namespace {

double recall_of_pool(const Pool& pool, const Options& settings) {
  return static_cast<double>(said_true(pool, settings).positives) /
         static_cast<double>(pool.positives.size());
}

}  // namespace

extern const MetricEntry metric_recall;
const MetricEntry metric_recall = {.name = "recall",
                                   .words = "recall",
                                   .doc = "share of the positives that score above a threshold",
                                   .settings = {threshold_option(), threshold_by_option()},
                                   .of_pool = recall_of_pool};

}  // namespace cupel
