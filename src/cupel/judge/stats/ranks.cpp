#include "cupel/judge/stats/ranks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "cupel/judge/stats/tests.h"

namespace cupel {
namespace {

std::set<int> field_splits(const std::vector<Contestant>& contestants, std::size_t dataset) {
  std::vector<std::map<int, double>> rows;
  for (const Contestant& c : contestants)
    if (c.competitor) rows.push_back(c.scores[dataset]);
  return common_splits(rows);
}

double relative_to(double best, double score, const MetricScale& scale) {
  if (best > 0) return scale.larger_is_better ? score / best : best / score;
  return 1;  // scores are not negative: all are 0 and share the first place
}

// Mean over data sets of the mean over splits.
std::optional<Estimate> combine(const std::vector<std::vector<double>>& by_dataset) {
  Estimate total;
  std::vector<ErrorPart> errors;
  double datasets = 0;
  bool known = true;
  for (const auto& values : by_dataset) {
    if (values.empty()) continue;
    const Estimate part = estimate(values);
    total.mean += part.mean;
    total.draws += part.draws;
    datasets += 1;
    known = known && part.standard_error;
    if (known) errors.push_back({*part.standard_error * *part.standard_error, part.df});
  }
  if (datasets == 0) return std::nullopt;
  total.mean /= datasets;
  if (known) {
    const Difference error = welch(0, errors);
    total.standard_error = error.standard_error / datasets;
    total.df = error.df;
  }
  return total;
}

std::optional<double> pooled_sd(const std::vector<std::vector<double>>& by_dataset) {
  std::vector<double> all;
  for (const auto& values : by_dataset) all.insert(all.end(), values.begin(), values.end());
  return sample_sd(all);
}

}  // namespace

std::set<int> common_splits(const std::vector<std::map<int, double>>& rows) {
  std::set<int> common;
  bool first = true;
  for (const std::map<int, double>& row : rows) {
    if (row.empty()) continue;
    std::set<int> kept;
    for (const auto& [split, score] : row) {
      if (first || common.contains(split)) kept.insert(split);
    }
    common = std::move(kept);
    first = false;
  }
  return common;
}

std::optional<std::vector<Interval>> rank_intervals(const std::vector<std::map<int, double>>& rows,
                                                    int fewest, StreamKey key) {
  constexpr std::uint32_t kPurpose = 0x72616E6B;  // "rank"
  constexpr int kResamples = 2000;
  if (rows.empty()) return std::nullopt;
  const std::set<int> shared = common_splits(rows);
  const std::vector<int> common(shared.begin(), shared.end());
  if (static_cast<int>(common.size()) < fewest) return std::nullopt;
  std::vector<std::vector<double>> ranks(rows.size());
  std::vector<double> sums(rows.size());
  for (int r = 0; r < kResamples; ++r) {
    Stream stream(key, kPurpose, static_cast<std::uint32_t>(r));
    std::fill(sums.begin(), sums.end(), 0);
    for (std::size_t draw = 0; draw < common.size(); ++draw) {
      const int split = common[stream.next_below(static_cast<std::uint32_t>(common.size()))];
      for (std::size_t i = 0; i < rows.size(); ++i) sums[i] += rows[i].at(split);
    }
    const std::vector<double> drawn = ranks_from_best(sums);
    for (std::size_t i = 0; i < rows.size(); ++i) ranks[i].push_back(drawn[i]);
  }
  std::vector<Interval> out;
  for (std::vector<double>& own : ranks) {
    std::sort(own.begin(), own.end());
    out.push_back({quantile(own, 0.025), quantile(own, 0.975)});
  }
  return out;
}

std::vector<Standing> standings(const std::vector<Contestant>& contestants,
                                const std::vector<MetricScale>& scales) {
  std::vector<Standing> result(contestants.size());
  if (contestants.empty()) return result;
  const std::size_t datasets = contestants.front().scores.size();
  using Values = std::vector<std::vector<double>>;
  for (Standing& standing : result) standing.splits.resize(datasets);
  std::vector<Values> relative(contestants.size(), Values(datasets)), rank = relative;

  for (std::size_t d = 0; d < datasets; ++d) {
    const MetricScale scale = d < scales.size() ? scales[d] : kFractions;
    for (const int split : field_splits(contestants, d)) {
      std::vector<double> field;
      for (const Contestant& c : contestants) {
        if (c.competitor && !c.scores[d].empty()) field.push_back(c.scores[d].at(split));
      }
      const double best = *std::min_element(
          field.begin(), field.end(), [&](double a, double b) { return scale.is_better(a, b); });
      for (std::size_t i = 0; i < contestants.size(); ++i) {
        const auto found = contestants[i].scores[d].find(split);
        if (found == contestants[i].scores[d].end()) continue;
        const double score = found->second;
        const auto better = std::count_if(field.begin(), field.end(), [&](double other) {
          return scale.is_better(other, score) && !is_tie(other, score);
        });
        auto equal = std::count_if(field.begin(), field.end(),
                                   [&](double other) { return is_tie(other, score); });
        if (contestants[i].competitor) --equal;  // itself
        result[i].splits[d].push_back(split);
        relative[i][d].push_back(relative_to(best, score, scale));
        rank[i][d].push_back(1.0 + static_cast<double>(better) + 0.5 * static_cast<double>(equal));
      }
    }
  }
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    result[i].relative = combine(relative[i]);
    result[i].rank = combine(rank[i]);
    result[i].relative_sd = pooled_sd(relative[i]);
    result[i].rank_sd = pooled_sd(rank[i]);
  }
  return result;
}

}  // namespace cupel
