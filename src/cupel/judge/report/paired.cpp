// Paired comparison of models over common splits.
#include <algorithm>
#include <set>

#include "cupel/judge/report/build.h"
#include "cupel/judge/stats/resampled.h"

namespace cupel::report {
namespace {

using Group = std::set<std::size_t>;

// The largest groups of models without a different pair among them: split every group that
// holds such a pair, drop what another group contains (Piepho, "An algorithm for a letter-based
// representation of all-pairwise comparisons", JCGS 2004).
std::vector<Group> equal_groups(const Group& models,
                                const std::vector<std::pair<std::size_t, std::size_t>>& distinct) {
  std::vector<Group> groups = {models};
  for (const auto& [a, b] : distinct) {
    std::vector<Group> next;
    for (const Group& group : groups) {
      if (!group.contains(a) || !group.contains(b)) {
        next.push_back(group);
        continue;
      }
      Group without_a = group, without_b = group;
      without_a.erase(a);
      without_b.erase(b);
      next.push_back(std::move(without_a));
      next.push_back(std::move(without_b));
    }
    groups.clear();
    for (std::size_t i = 0; i < next.size(); ++i) {
      bool absorbed = next[i].empty();
      for (std::size_t j = 0; j < next.size() && !absorbed; ++j) {
        const bool inside =
            i != j && std::includes(next[j].begin(), next[j].end(), next[i].begin(), next[i].end());
        absorbed = inside && (next[j].size() > next[i].size() || j < i);
      }
      if (!absorbed) groups.push_back(next[i]);
    }
  }
  std::sort(groups.begin(), groups.end());  // by best member, then the next best
  return groups;
}

char letter_of(std::size_t group) {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return group < 52 ? kLetters[group] : '+';
}

void give_letters(Comparison& comparison) {
  Group compared;
  std::vector<std::pair<std::size_t, std::size_t>> distinct;
  std::size_t at = 0;
  for (std::size_t i = 0; i < comparison.models.size(); ++i) {
    for (std::size_t j = i + 1; j < comparison.models.size(); ++j, ++at) {
      const RowPair& pair = comparison.pairs[at];
      if (!pair.p) continue;
      compared.insert({i, j});
      if (pair.verdict == Verdict::kDifferent) distinct.emplace_back(i, j);
    }
  }
  if (compared.empty()) return;
  const std::vector<Group> groups = equal_groups(compared, distinct);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::size_t i : groups[g]) comparison.letters[comparison.models[i]] += letter_of(g);
  }
}

// By repetition of a cross-validation, of the folds that both have; the last may be unfinished.
ScoresBySplit by_repetition(const std::vector<int>& splits, const std::vector<double>& values,
                            const SplitDesign& design) {
  ScoresBySplit out;
  for (std::size_t i = 0; i < splits.size(); ++i)
    out[(design.first + splits[i]) / design.folds].push_back(values[i]);
  return out;
}

Difference against_zero(const Estimate& mean) {
  const ErrorPart error{*mean.standard_error * *mean.standard_error, mean.df};
  return welch(mean.mean, {&error, 1});
}

RowPair compare_two(const std::string& a, const std::string& b, const std::map<int, double>& of_a,
                    const std::map<int, double>& of_b, const TableResults& table, int family) {
  RowPair pair;
  pair.a = a;
  pair.b = b;
  std::vector<double> x, y, differences;
  std::vector<int> common;
  for (const auto& [split, score] : of_a) {
    const auto other = of_b.find(split);
    if (other == of_b.end()) continue;
    common.push_back(split);
    x.push_back(score);
    y.push_back(other->second);
    differences.push_back(score - other->second);
  }
  pair.splits = static_cast<int>(x.size());
  if (pair.splits < 2) return pair;
  int draws = pair.splits;
  Difference difference = paired_t(x, y);
  if (table.design.test_to_train > 0) {
    pair.p_general = against_zero(other_data_estimate(differences, table.design.test_to_train)).p;
  }
  if (table.design.folds > 0) {
    const Estimate mean = clustered_estimate(by_repetition(common, differences, table.design));
    if (mean.draws >= kFewestDraws) {
      difference = against_zero(mean);
      draws = mean.draws;
    }
  }
  const GapTest test{.gap = difference, .error_known = true, .design = {}, .basis = {}};
  const Judgement judgement = judge(test, draws, table.delta, levels_for(family));
  pair.difference = difference.value;
  pair.interval = judgement.interval;
  pair.smallest_delta = judgement.smallest_delta;
  pair.p = difference.p;
  pair.p_corrected = judgement.p_corrected;
  pair.p_wilcoxon = wilcoxon(x, y).p;
  pair.verdict = judgement.verdict;
  return pair;
}

}  // namespace

Comparison compare(const TableResults& table, const Column& column,
                   const std::vector<std::string>& models) {
  struct Entry {
    std::string model;
    std::map<int, double> by_split;
    double mean;
  };
  std::vector<Entry> entries;
  for (const std::string& model : models) {
    const CellResults* cell = find_cell(table, column, model);
    if (cell == nullptr) continue;
    const ScoresBySplit scores = scores_of(*cell);
    if (scores.empty()) continue;
    entries.push_back({model, split_means(scores), clustered_estimate(scores).mean});
  }
  const MetricScale scale = scale_of(column.measure);
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return scale.is_better(a.mean, b.mean); });

  const int rows = std::max(table.protocol_rows, static_cast<int>(models.size()));
  Comparison comparison;
  comparison.column = column;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    comparison.models.push_back(entries[i].model);
    for (std::size_t j = i + 1; j < entries.size(); ++j)
      comparison.pairs.push_back(compare_two(entries[i].model, entries[j].model,
                                             entries[i].by_split, entries[j].by_split, table,
                                             rows * (rows - 1) / 2));
  }
  give_letters(comparison);
  return comparison;
}

}  // namespace cupel::report
