// Paired comparison of models over common splits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "cupel/judge/report/build.h"
#include "cupel/judge/report/print.h"
#include "cupel/judge/stats/resampled.h"

namespace cupel::report {
namespace {

using Group = std::set<std::size_t>;

using Pair = std::pair<std::size_t, std::size_t>;  // the smaller first

constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::size_t kMostGroups = sizeof kLetters - 1;

// The largest groups of models without a different pair among them, for a letter each (Piepho, "An
// algorithm for a letter-based representation of all-pairwise comparisons", JCGS 2004). Models join
// one by one, and the groups of some are never more than those of all; absent as soon as they are
// more than there are letters, as they may double with every pair.
std::optional<std::vector<Group>> equal_groups(const Group& models,
                                               const std::set<Pair>& distinct) {
  std::vector<Group> groups = {{}};
  for (const std::size_t model : models) {
    std::vector<Group> next;
    for (const Group& group : groups) {
      Group with = group;
      std::erase_if(with, [&](std::size_t other) { return distinct.contains({other, model}); });
      if (with.size() < group.size()) next.push_back(group);
      with.insert(model);
      next.push_back(std::move(with));
    }
    groups.clear();
    for (std::size_t i = 0; i < next.size(); ++i) {
      bool absorbed = false;
      for (std::size_t j = 0; j < next.size() && !absorbed; ++j) {
        const bool inside =
            i != j && std::includes(next[j].begin(), next[j].end(), next[i].begin(), next[i].end());
        absorbed = inside && (next[j].size() > next[i].size() || j < i);
      }
      if (!absorbed) groups.push_back(next[i]);
    }
    if (groups.size() > kMostGroups) return std::nullopt;
  }
  std::sort(groups.begin(), groups.end());  // by best member, then the next best
  return groups;
}

void give_letters(Comparison& comparison) {
  Group compared;
  std::set<Pair> distinct;
  std::size_t at = 0;
  for (std::size_t i = 0; i < comparison.models.size(); ++i) {
    for (std::size_t j = i + 1; j < comparison.models.size(); ++j, ++at) {
      const RowPair& pair = comparison.pairs[at];
      if (!pair.p) continue;
      compared.insert({i, j});
      if (pair.verdict == Verdict::kDifferent) distinct.emplace(i, j);
    }
  }
  if (compared.empty()) return;
  const auto groups = equal_groups(compared, distinct);
  if (!groups) return;
  for (std::size_t g = 0; g < groups->size(); ++g) {
    for (const std::size_t i : (*groups)[g])
      comparison.letters[comparison.models[i]] += kLetters[g];
  }
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
  ScoresBySplit by_split;  // differences
  for (const auto& [split, score] : of_a) {
    const auto other = of_b.find(split);
    if (other == of_b.end()) continue;
    x.push_back(score);
    y.push_back(other->second);
    differences.push_back(score - other->second);
    by_split[split] = {differences.back()};
  }
  pair.splits = static_cast<int>(x.size());
  if (pair.splits < 2) return pair;
  int draws = pair.splits, splits_per_draw = 1;
  Difference difference = paired_t(x, y);
  if (table.design.test_to_train > 0) {
    pair.p_general = against_zero(other_data_estimate(differences, table.design.test_to_train)).p;
  }
  const auto repetitions = complete_repetitions(by_split, table.design);
  if (std::ssize(repetitions) >= kFewestDraws) {
    const Estimate mean = clustered_estimate(as_clusters(repetitions));
    difference = against_zero(mean);
    draws = mean.draws;
    splits_per_draw = table.design.folds;
  }
  const DesignError error{difference.standard_error * difference.standard_error * draws, 0};
  const GapTest test{.gap = difference, .error_known = true, .design = error, .basis = {}};
  const Judgement judgement = judge(test, draws, table.delta, levels_for(family));
  pair.difference = difference.value;
  pair.interval = judgement.interval;
  pair.smallest_delta = judgement.smallest_delta;
  pair.p = difference.p;
  pair.p_corrected = judgement.p_corrected;
  pair.p_wilcoxon = wilcoxon(x, y).p;
  pair.verdict = judgement.verdict;
  if (judgement.draws && !table.design.shared)
    pair.splits_to_decide = static_cast<std::int64_t>(*judgement.draws) * splits_per_draw;
  return pair;
}

// Models in an order in which none stands before one that it was found worse than, where there is
// such an order, and as near as that to the order they have. pairs: (0, 1), (0, 2), ...
std::vector<std::size_t> order_of(std::size_t models, const std::vector<RowPair>& pairs,
                                  const MetricScale& scale) {
  std::set<Pair> worse;  // the first than the second
  std::size_t at = 0;
  for (std::size_t i = 0; i < models; ++i) {
    for (std::size_t j = i + 1; j < models; ++j, ++at) {
      if (pairs[at].verdict != Verdict::kDifferent) continue;
      worse.insert(scale.is_better(*pairs[at].difference, 0) ? Pair{j, i} : Pair{i, j});
    }
  }
  std::vector<std::size_t> left(models), order;
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty()) {
    auto next = std::ranges::find_if(left, [&](std::size_t one) {
      return std::ranges::none_of(left, [&](std::size_t other) {
        return worse.contains({one, other});
      });
    });
    if (next == left.end()) next = left.begin();
    order.push_back(*next);
    left.erase(next);
  }
  return order;
}

}  // namespace

std::string letters_note(const ReportTable& table) {
  std::vector<std::string> columns;
  for (const Comparison& comparison : table.comparisons) {
    if (was_compared(comparison) && comparison.letters.empty())
      columns.push_back(column_text(table, comparison.column));
  }
  if (columns.empty()) return "";
  return fmt::format(
      "More groups of models that were not found different than there are letters: {}. The formats "
      "markdown, html and json list the pairs.",
      fmt::join(columns, ", "));
}

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
  const auto pairs_of = [&](const std::vector<Entry>& ordered) {
    std::vector<RowPair> pairs;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      for (std::size_t j = i + 1; j < ordered.size(); ++j)
        pairs.push_back(compare_two(ordered[i].model, ordered[j].model, ordered[i].by_split,
                                    ordered[j].by_split, table, rows * (rows - 1) / 2));
    }
    return pairs;
  };
  Comparison comparison;
  comparison.column = column;
  comparison.pairs = pairs_of(entries);
  const std::vector<std::size_t> order = order_of(entries.size(), comparison.pairs, scale);
  if (!std::ranges::is_sorted(order)) {
    std::vector<Entry> ordered;
    for (const std::size_t i : order) ordered.push_back(std::move(entries[i]));
    entries = std::move(ordered);
    comparison.pairs = pairs_of(entries);
  }
  for (const Entry& entry : entries) comparison.models.push_back(entry.model);
  give_letters(comparison);
  return comparison;
}

}  // namespace cupel::report
