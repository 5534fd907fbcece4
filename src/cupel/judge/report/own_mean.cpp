// Our mean of a cell and the error that answers: is it the published mean on this data set?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "cupel/judge/report/build.h"
#include "cupel/judge/stats/sequential.h"

namespace cupel::report {
namespace {

std::vector<double> draws_of(const ScoresBySplit& scores) {
  std::vector<double> draws;
  for (const auto& [split, mean] : split_means(scores)) draws.push_back(mean);
  return draws;
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
  ScoresBySplit repetitions;
  std::map<int, std::vector<double>> fold_means;
  for (const auto& [split, values] : scores) {
    const int repetition = (design.first + split) / design.folds;
    auto& runs = repetitions[repetition];
    runs.insert(runs.end(), values.begin(), values.end());
    fold_means[repetition].push_back(mean_of(values));
  }
  OwnMean own;
  const int count = static_cast<int>(repetitions.size());
  if (count >= kFewestDraws) {
    own.estimate = clustered_estimate(repetitions);
    own.repetitions = count;
    for (const auto& [repetition, means] : fold_means) {
      const double sd = sample_sd(means).value_or(0);
      own.within += sd * sd / count;
    }
    own.basis = fmt::format(
        "error over {} repetitions of the cross-validation, of which the published mean is taken "
        "for one more",
        count);
    return own;
  }
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
  own.sharper = fmt::format("--splits {}", kFewestDraws * design.folds);
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
  int runs = 0;
  for (const auto& [split, values] : scores) {
    const double n = static_cast<double>(values.size()), sd = *sample_sd(values);
    const double part = sd * sd / n / (splits * splits);
    variance += part;
    of_variance += part * part / (n - 1);
    runs += static_cast<int>(values.size());
  }
  own.estimate->standard_error = std::sqrt(variance);
  own.estimate->df =
      of_variance > 0 ? variance * variance / of_variance : std::numeric_limits<double>::infinity();
  own.estimate->draws = runs;
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
  return own;
}

LookMeans look_means(const CellResults& source, const SplitDesign& design,
                     const std::string& spread_kind) {
  const ScoresBySplit scores = scores_of(source);
  LookMeans out;
  out.sizes = design.shared
                  ? look_schedule(1, 1, source.looks->inits)
                  : look_schedule(kFewestDraws, std::max(1, design.folds), source.looks->splits);
  // Failed runs are there too: they were made, and are not made again.
  std::map<int, int> made;
  for (const PlacedRun& run : source.runs) ++made[run.split];
  for (const int size : out.sizes) {
    ScoresBySplit part;
    bool complete = true;
    if (design.shared) {
      complete = static_cast<int>(made.size()) >= source.looks->splits &&
                 std::all_of(made.begin(), made.end(),
                             [&](const auto& split) { return split.second >= size; });
      for (const auto& [split, values] : scores)
        part[split].assign(values.begin(),
                           values.begin() + std::min<std::ptrdiff_t>(size, std::ssize(values)));
    } else {
      for (int split = 0; split < size; ++split) complete = complete && made.contains(split);
      for (const auto& [split, values] : scores)
        if (split < size) part[split] = values;
    }
    if (!complete || part.empty()) break;
    out.means.push_back(own_mean(part, design, spread_kind));
  }
  return out;
}

}  // namespace cupel::report
