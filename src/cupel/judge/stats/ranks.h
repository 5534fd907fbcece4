// Relative score and average rank of models over data sets and splits (Shchur et al. 2018,
// "Pitfalls of Graph Neural Network Evaluation", section 3 and Table 2a).
//
// Per (data set, split) the runs of a model are averaged first. Its relative score there is its
// score over the best score of the split, and its rank counts from 1 = best; ties share their mean
// rank (the paper does not say). Both are averaged over the splits of a data set, then over data
// sets with equal weight: with as many splits in each, the paper's mean over all of them.
//
// Where the paper is silent:
//   - a split counts if every competitor that has any score on the data set has one on the split,
//     so that a failed or missing run never changes who is compared with whom;
//   - a model without any score on a data set is averaged over its others;
//   - a guest is not a competitor: it is measured against the competitors (its relative score may
//     exceed 1, its rank is the place it would take among them) and does not change their values.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "cupel/base/random.h"
#include "cupel/judge/stats/bootstrap.h"
#include "cupel/judge/stats/descriptive.h"
#include "cupel/learn/score/scale.h"

namespace cupel {

struct Contestant {
  bool competitor = true;
  std::vector<std::map<int, double>> scores;  // by data set: split -> mean score
};

struct Standing {
  // Absent if the model has no usable split. Standard errors treat data sets as given and splits as
  // drawn: se^2 = sum_d se_d^2 / D^2, df by Satterthwaite.
  std::optional<Estimate> relative;  // 1 = as good as the best everywhere
  std::optional<Estimate> rank;
  std::optional<double> relative_sd, rank_sd;  // sample sd over (data set, split)
  std::vector<std::vector<int>> splits;        // by data set: the splits used, ascending
};

// The splits that all rows have which have any. rows: split -> score.
[[nodiscard]] std::set<int> common_splits(const std::vector<std::map<int, double>>& rows);

// Ranks of rows by their means on one data set, 1 = largest, with the uncertainty of the draw of
// splits: percentile bootstrap over the splits that all rows have, resampled together. Absent below
// `fewest` common splits. rows: split -> mean score; none is empty.
[[nodiscard]] std::optional<std::vector<Interval>> rank_intervals(
    const std::vector<std::map<int, double>>& rows, int fewest, StreamKey key);

// One standing per contestant. Requires as many data sets in each. `scales`: of the scores on each
// data set; fractions on those that it leaves out. Where smaller is better, the relative score is
// the best score over the model's.
[[nodiscard]] std::vector<Standing> standings(const std::vector<Contestant>& contestants,
                                              const std::vector<MetricScale>& scales = {});

}  // namespace cupel
