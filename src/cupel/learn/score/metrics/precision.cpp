// How much of what is said to be true is.
#include "cupel/learn/score/metric_entry.h"
#include "cupel/learn/score/threshold.h"

namespace cupel {
namespace {

double precision_of_pool(const Pool& pool, const Options& settings) {
  const SaidTrue said = said_true(pool, settings);
  return said.all() == 0 ? 0 : static_cast<double>(said.positives) / said.all();
}

}  // namespace

extern const MetricEntry metric_precision;
const MetricEntry metric_precision = {
    .name = "precision",
    .words = "precision",
    .doc = "share of positives among what scores above a threshold; 0 where nothing does",
    .settings = {threshold_option(), threshold_by_option()},
    .of_pool = precision_of_pool};

}  // namespace cupel
