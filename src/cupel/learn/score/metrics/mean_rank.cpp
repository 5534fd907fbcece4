// Mean rank.
#include "cupel/learn/score/metric_entry.h"

namespace cupel {
namespace {

double of_ranks(const Ranks& ranks, const Options& settings) {
  const TieRule ties = tie_rule(settings);
  double sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) sum += rank_of(ranks, i, ties);
  return sum / static_cast<double>(ranks.size());
}

}  // namespace

extern const MetricEntry metric_mean_rank;
const MetricEntry metric_mean_rank = {
    .name = "mean-rank",
    .words = "mean rank",
    .doc = "mean over the positives of their rank among their candidates; 1 is the best",
    .scale = kPlaces,
    .settings = {ties_option()},
    .kept = {"mean-rank"},
    .of_ranks = of_ranks};

}  // namespace cupel
