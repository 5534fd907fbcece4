// Bootstrap intervals from keyed streams: the same draws and key give the same interval anywhere.
#pragma once

#include <span>

#include "cupel/base/random.h"

namespace cupel {

struct Interval {
  double low = 0, high = 0;
};

// Percentile bootstrap interval of the mean of independent draws (Efron and Tibshirani, "An
// Introduction to the Bootstrap", 1993, section 13.3): the alpha/2 and 1 - alpha/2 quantiles (type
// 7) of the means of `resamples` samples drawn with replacement. It makes no assumption of
// normality, which test accuracies need (a few collapsed runs give them a long tail), but is too
// narrow for fewer than about ten draws. Pass split means, not runs. Requires at least one draw.
[[nodiscard]] Interval bootstrap_mean(std::span<const double> draws, StreamKey key,
                                      int resamples = 2000, double alpha = 0.05);

}  // namespace cupel
