// Mean reciprocal rank.
#include "cupel/learn/score/metric_entry.h"

namespace cupel {
namespace {

double of_ranks(const Ranks& ranks, const Options& settings) {
  const TieRule ties = tie_rule(settings);
  double sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) sum += 1 / rank_of(ranks, i, ties);
  return sum / static_cast<double>(ranks.size());
}

}  // namespace

extern const MetricEntry metric_mrr;
const MetricEntry metric_mrr = {.name = "mrr",
                                .words = "MRR",
                                .doc = "mean over the positives of 1 / rank among their candidates",
                                .settings = {ties_option()},
                                .kept = {"mrr"},
                                .of_ranks = of_ranks};

}  // namespace cupel
