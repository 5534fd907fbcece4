// Area under the curve of precision against recall.
#include "cupel/learn/score/metric_entry.h"

namespace cupel {
namespace {

double average_precision_of_pool(const Pool& pool, const Options& settings) {
  return average_precision(pool, settings.integer("positives"));
}

}  // namespace

extern const MetricEntry metric_average_precision;
const MetricEntry metric_average_precision = {
    .name = "average-precision",
    .words = "average precision",
    .doc =
        "precision at each different score, weighted by the gain in recall, ties taken "
        "together; scikit-learn's average_precision_score",
    .settings = {copies_option()},
    .kept = {"average-precision"},
    .of_pool = average_precision_of_pool};

}  // namespace cupel
