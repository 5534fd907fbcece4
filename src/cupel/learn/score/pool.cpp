#include "cupel/learn/score/pool.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "cupel/base/error.h"

namespace cupel {
namespace {

// Calls take(positives, negatives) with how many there are of each score, from the best down.
template <class Score, class Take>
void walk(const std::vector<Score>& positives, const std::vector<Score>& negatives, Take&& take) {
  auto p = positives.begin(), n = negatives.begin();
  while (p != positives.end() || n != negatives.end()) {
    const bool from_positives = n == negatives.end() || (p != positives.end() && !(*p < *n));
    const Score score = from_positives ? *p : *n;
    const auto first_p = p, first_n = n;
    while (p != positives.end() && *p == score) ++p;
    while (n != negatives.end() && *n == score) ++n;
    take(static_cast<std::int64_t>(p - first_p), static_cast<std::int64_t>(n - first_n));
  }
}

template <class Score>
double area(const std::vector<Score>& positives, const std::vector<Score>& negatives) {
  // Twice the number of (positive, negative) pairs in the right order: whole numbers, so exact.
  std::int64_t twice = 0, above = 0;
  walk(positives, negatives, [&](std::int64_t tied_positives, std::int64_t tied_negatives) {
    twice += tied_negatives * (2 * above + tied_positives);
    above += tied_positives;
  });
  return static_cast<double>(twice) /
         (2.0 * static_cast<double>(positives.size()) * static_cast<double>(negatives.size()));
}

}  // namespace

Pool make_pool(std::span<const float> scores, std::span<const std::uint8_t> answers) {
  if (scores.size() != answers.size())
    fail("there are {} scores for {} pairs; give one for each", scores.size(), answers.size());
  Pool pool;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores[i]))
      fail("the score of pair {} is not a number; a model must give one for each pair", i);
    (answers[i] != 0 ? pool.positives : pool.negatives).push_back(scores[i]);
  }
  std::ranges::sort(pool.positives, std::greater<>());
  std::ranges::sort(pool.negatives, std::greater<>());
  return pool;
}

double roc_auc(const Pool& pool) { return area(pool.positives, pool.negatives); }

double roc_auc(std::span<const double> ranking, std::span<const Index> labels) {
  std::vector<double> positives, negatives;
  for (std::size_t i = 0; i < ranking.size(); ++i)
    (labels[i] == 1 ? positives : negatives).push_back(ranking[i]);
  if (positives.empty() || negatives.empty())
    fail(
        "ROC AUC is not defined: none of {} examples is of class {}; use larger or stratified "
        "splits",
        labels.size(), positives.empty() ? 1 : 0);
  std::ranges::sort(positives, std::greater<>());
  std::ranges::sort(negatives, std::greater<>());
  return area(positives, negatives);
}

double average_precision(const Pool& pool, std::int64_t copies) {
  double sum = 0;
  std::int64_t right = 0, taken = 0;
  walk(pool.positives, pool.negatives, [&](std::int64_t positives, std::int64_t negatives) {
    right += copies * positives;
    taken += copies * positives + negatives;
    sum += static_cast<double>(positives) * static_cast<double>(right) / static_cast<double>(taken);
  });
  return sum / static_cast<double>(pool.positives.size());
}

OptionSpec copies_option() {
  return {.name = "positives",
          .fallback = std::int64_t{1},
          .doc =
              "How often each positive counts; 2 where a link is asked in both directions and a "
              "negative once.",
          .min = 1,
          .max = 1000};
}

}  // namespace cupel
