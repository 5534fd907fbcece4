// One run of a model without gradients, on one view.
#pragma once

#include <cstddef>

#include "cupel/base/limits.h"
#include "cupel/base/random.h"
#include "cupel/learn/train/trial.h"
#include "cupel/learn/view.h"

namespace cupel {

// Not thread-safe.
class DirectTrial {
 public:
  virtual ~DirectTrial() = default;
  // Fits, and hands the scores of the test part to `test`. `key` fixes what a model draws, if it
  // draws. Throws Interrupted or TimedOut.
  virtual TrialOutcome run(StreamKey key, const RunLimits& limits, ScoreSink& test) = 0;
  // Bytes held beyond the shared data set.
  virtual std::size_t memory_bytes() const = 0;
};

}  // namespace cupel
