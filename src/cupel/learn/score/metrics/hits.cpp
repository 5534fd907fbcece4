// Share of positives among the first.
//
// Two readings, those of the two evaluators of the Open Graph Benchmark (Hu et al. 2020):
//   a list for each positive  it is a hit if its rank is K or less, by the rule for ties
//   one pool for all          it is a hit if it scores higher than the K-th best candidate
// They differ where scores are tied: over a pool the default is pessimistic, and a setting other
// than the default is followed as it is over lists. The benchmark gives 1 where there are fewer
// candidates than K, which is refused here.
#include "cupel/learn/score/metric_entry.h"

namespace cupel {
namespace {

double of_ranks(const Ranks& ranks, const Options& settings) {
  TieRule ties = tie_rule(settings);
  // Higher than the K-th best: fewer than K candidates score as much or more.
  if (ranks.one_pool && ties == TieRule::kMean) ties = TieRule::kPessimistic;
  const auto k = static_cast<double>(settings.integer("k"));
  std::int64_t hits = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) hits += rank_of(ranks, i, ties) <= k;
  return static_cast<double>(hits) / static_cast<double>(ranks.size());
}

Offset candidates_needed(const Options& settings) { return settings.integer("k"); }

}  // namespace

extern const MetricEntry metric_hits;
const MetricEntry metric_hits = {
    .name = "hits",
    .words = "Hits",
    .doc =
        "share of positives among the first K: of a rank of K or less in a list of its own, or "
        "scoring higher than the K-th best negative of one pool",
    .settings = {{.name = "k",
                  .fallback = std::int64_t{10},
                  .doc = "How many places count.",
                  .min = 1,
                  .max = 1e9},
                 ties_option()},
    .at = "k",
    .kept = {"hits@1", "hits@3", "hits@10", "hits@20", "hits@50", "hits@100"},
    .of_ranks = of_ranks,
    .candidates_needed = candidates_needed};

}  // namespace cupel
