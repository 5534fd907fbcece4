// The score of the recurrency baseline: Gastinger et al., "History Repeats Itself: A Baseline for
// Temporal Knowledge Graph Forecasting", IJCAI 2024, section 4.
//
//   score(s, r, o, t) = alpha psi + (1 - alpha) xi
//   psi = sum over the times k of (s, r, o) of 2^(lambda (k - t))
//         / sum over k = first, first + 1, ... below last of 2^(lambda (k - t))
//   xi  = n(r, o) / n(r)
//
// Times count in units; first and last are the first and last time of a fact of r. Of a relation
// with one time only psi is divided by 1. All of it is of what was learnt and lies in the window.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "cupel/learn/events/recurrency_history.h"

namespace cupel {

struct RecurrencyChoice {
  double lambda = 0, alpha = 0;
};

// By what sums over times and counts of objects are multiplied to give the score. psi hardly
// depends on t: it shortens. So times are taken against the last one, where nothing underflows that
// is not far behind everything else.
struct RecurrencyWeights {
  double sum = 0, count = 0;

  double score(double of_sum, Index of_count) const { return sum * of_sum + count * of_count; }
  // How many objects of all have a higher score than x, and how many the same, where times of
  // their pairs play no part. Requires count > 0.
  struct Others {
    Offset count_above = 0;  // the smallest count whose score is above x
    bool ties = false;       // whether the count below it scores x
  };
  Others others(double x, const ObjectCounts& objects) const;
};

// Requires a fact in the window.
[[nodiscard]] RecurrencyWeights recurrency_weights(const RecurrencyHistory& history,
                                                   RecurrencyChoice choice, std::int64_t time,
                                                   std::int64_t unit);

}  // namespace cupel
