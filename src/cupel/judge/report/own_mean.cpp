// Our mean of a cell and the error that answers: is it the published mean on this data set?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "cupel/judge/report/build.h"
#include "cupel/judge/stats/resampled.h"
#include "cupel/judge/stats/sequential.h"

namespace cupel::report {
namespace {

std::vector<double> draws_of(const ScoresBySplit& scores) {
  std::vector<double> draws;
  for (const auto& [split, mean] : split_means(scores)) draws.push_back(mean);
  return draws;
}

int runs_of(const ScoresBySplit& scores) {
  int runs = 0;
  for (const auto& [split, values] : scores) runs += static_cast<int>(values.size());
  return runs;
}

std::optional<double> spread_of(const ScoresBySplit& scores, const std::string& kind) {
  if (is_over_splits(kind)) {
    const std::vector<double> draws = draws_of(scores);
    const auto sd = sample_sd(draws);
    const double n = static_cast<double>(draws.size());
    return sd && kind.starts_with("sd_ddof0") ? *sd * std::sqrt((n - 1) / n) : sd;
  }
  std::vector<double> all;
  for (const auto& [split, values] : scores) all.insert(all.end(), values.begin(), values.end());
  return sample_sd(all);
}

ScoresBySplit by_init(const ScoresBySplit& scores) {
  ScoresBySplit draws;
  int next = 0;
  for (const double score : scores.begin()->second) draws[next++] = {score};
  return draws;
}

// Clusters are the repetitions of a cross-validation: parts that make up one whole test each.
OwnMean of_folds(const ScoresBySplit& scores, const SplitDesign& design) {
  const std::map<int, ScoresBySplit> repetitions = complete_repetitions(scores, design);
  OwnMean own;
  const int count = static_cast<int>(repetitions.size());
  if (count >= kFewestDraws) {
    const ScoresBySplit clusters = as_clusters(repetitions);
    own.estimate = clustered_estimate(clusters);
    own.runs = runs_of(clusters);
    own.repetitions = count;
    for (const auto& [repetition, folds] : repetitions) {
      const double sd = sample_sd(draws_of(folds)).value_or(0);
      own.within += sd * sd / count;
    }
    own.basis = fmt::format(
        "error over {} repetitions of the cross-validation, of which the published mean is taken "
        "for one more{}",
        count,
        std::ssize(scores) > count * design.folds ? "; folds of incomplete ones are left out" : "");
    return own;
  }
  std::map<int, std::vector<double>> fold_means;  // by repetition
  for (const auto& [split, mean] : split_means(scores))
    fold_means[(design.first + split) / design.folds].push_back(mean);
  // A fold that failed leaves its repetition incomplete; the last one may just not be done yet.
  const auto incomplete =
      std::count_if(fold_means.begin(), std::prev(fold_means.end()),
                    [&](const auto& one) { return std::ssize(one.second) < design.folds; });
  own.estimate = clustered_estimate(scores);
  own.estimate->draws = std::min(own.estimate->draws, design.folds);
  double variance = 0, df = 0;
  for (const auto& [repetition, means] : fold_means) {
    const auto sd = sample_sd(means);
    if (!sd) continue;
    variance += *sd * *sd * static_cast<double>(means.size() - 1);
    df += static_cast<double>(means.size() - 1);
  }
  own.basis = "error of one cross-validation, over its folds";
  own.sharper = fmt::format("--splits {}", (kFewestDraws + incomplete) * design.folds);
  if (df > 0) {
    own.estimate->standard_error = std::sqrt(variance / df / own.estimate->draws);
    own.estimate->df = df;
  }
  return own;
}

// Variance within splits alone: Satterthwaite over the splits.
OwnMean of_fixed(const ScoresBySplit& scores) {
  OwnMean own;
  own.estimate = clustered_estimate(scores);
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const auto& [split, values] : scores) fewest = std::min(fewest, values.size());
  if (fewest < 2) {
    own.basis = "error over the stored splits, which the published runs share: an upper bound";
    own.sharper = "--inits 2 or more";
    return own;
  }
  const double splits = static_cast<double>(scores.size());
  double variance = 0, of_variance = 0;
  for (const auto& [split, values] : scores) {
    const double n = static_cast<double>(values.size()), sd = *sample_sd(values);
    const double part = sd * sd / n / (splits * splits);
    variance += part;
    of_variance += part * part / (n - 1);
  }
  own.estimate->standard_error = std::sqrt(variance);
  own.estimate->df =
      of_variance > 0 ? variance * variance / of_variance : std::numeric_limits<double>::infinity();
  own.estimate->draws = runs_of(scores);
  own.repetitions = static_cast<int>(fewest);
  const double over_splits = *sample_sd(draws_of(scores));
  own.within = variance * splits * static_cast<double>(fewest);
  own.between = std::max(0.0, over_splits * over_splits - variance * splits);
  own.basis = fmt::format(
      "error over {} initialisations on the stored splits, of which the published runs are taken "
      "for one more",
      fewest);
  return own;
}

}  // namespace

bool is_over_splits(const std::string& spread_kind) { return spread_kind.ends_with("over_splits"); }

bool is_bootstrapped(const std::string& spread_kind) {
  return spread_kind.starts_with("ci95_bootstrap");
}

OwnMean own_mean(const ScoresBySplit& scores, const SplitDesign& design,
                 const std::string& spread_kind) {
  OwnMean own;
  if (design.shared && scores.size() == 1) {
    own.estimate = clustered_estimate(by_init(scores));
  } else if (design.folds > 0) {
    own = of_folds(scores, design);
  } else if (design.shared && scores.size() > 1) {
    own = of_fixed(scores);
  } else {
    own.estimate = clustered_estimate(scores);
    own.sd_over_splits = spread_of(scores, "sd_over_splits");
  }
  own.sd = spread_of(scores, spread_kind);
  if (own.runs == 0) own.runs = runs_of(scores);
  return own;
}

LookMeans look_means(const CellResults& source, const SplitDesign& design,
                     const std::string& spread_kind) {
  const Looks& most = *source.looks;
  LookMeans out;
  out.sizes = design.shared ? look_schedule(1, 1, most.inits)
                            : look_schedule(kFewestDraws, std::max(1, design.folds), most.splits);
  // Failed runs are there too: they were made, and are not made again.
  std::map<int, std::vector<int>> made;  // initialisations by split
  for (const PlacedRun& run : source.runs) made[run.split].push_back(run.init);
  for (auto& [split, inits] : made) std::ranges::sort(inits);
  const ScoresByInit scores = scores_by_init(source);
  for (const int size : out.sizes) {
    const int splits = design.shared ? most.splits : size;
    const int inits = design.shared ? size : most.inits;
    ScoresBySplit part;
    for (int split = 0; split < splits; ++split) {
      const auto there = made.find(split);
      if (there == made.end() || std::ssize(there->second) < inits) return out;
      const auto of_split = scores.find(split);
      if (of_split == scores.end()) continue;
      const int last = there->second[static_cast<std::size_t>(inits - 1)];
      for (const auto& [init, score] : of_split->second)
        if (init <= last) part[split].push_back(score);
    }
    out.means.push_back(part.empty() ? OwnMean{} : own_mean(part, design, spread_kind));
  }
  return out;
}

}  // namespace cupel::report
