#include "cupel/learn/score/threshold.h"

#include <algorithm>
#include <limits>

namespace cupel {
namespace {

// Infinite scores are the largest there are, as the middle between two of them would be no number.
double finite(float score) {
  constexpr float kMost = std::numeric_limits<float>::max();
  return std::clamp(score, -kMost, kMost);
}

}  // namespace

double best_threshold(const Pool& pool) {
  const std::vector<float>&positives = pool.positives, &negatives = pool.negatives;
  std::size_t p = 0, n = 0;  // said to be true
  const auto next = [&] {
    const float a = p < positives.size() ? positives[p] : -std::numeric_limits<float>::infinity();
    return n < negatives.size() ? std::max(a, negatives[n]) : a;
  };
  double best = std::max(positives.front(), negatives.front());
  std::size_t right = negatives.size();
  while (p < positives.size() || n < negatives.size()) {
    const float score = next();
    while (p < positives.size() && positives[p] == score) ++p;
    while (n < negatives.size() && negatives[n] == score) ++n;
    const std::size_t now = p + (negatives.size() - n);
    if (now <= right) continue;
    right = now;
    const bool all = p == positives.size() && n == negatives.size();
    best = all ? -kMostThreshold : (finite(score) + finite(next())) / 2;
  }
  return std::clamp(best, -kMostThreshold, kMostThreshold);
}

}  // namespace cupel
