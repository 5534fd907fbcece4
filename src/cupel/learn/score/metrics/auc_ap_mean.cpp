// One number for both areas: the average that the code released with GraphStar (Haonan et al. 2019)
// prints of links.
#include "cupel/learn/score/metric_entry.h"

namespace cupel {
namespace {

double auc_ap_mean_of_pool(const Pool& pool, const Options& settings) {
  return (roc_auc(pool) + average_precision(pool, settings.integer("positives"))) / 2;
}

}  // namespace

extern const MetricEntry metric_auc_ap_mean;
const MetricEntry metric_auc_ap_mean = {.name = "auc-ap-mean",
                                        .words = "mean of ROC AUC and average precision",
                                        .doc = "mean of ROC AUC and average precision",
                                        .settings = {copies_option()},
                                        .of_pool = auc_ap_mean_of_pool};

}  // namespace cupel
