// The loss of scores of sampled pairs: links that are there and pairs that are not.
#pragma once

#include <span>

#include "cupel/base/parallel.h"

namespace cupel::kernels {

enum class PairLossForm {
  // Mean over all pairs of the cross-entropy of a logit, as BCEWithLogitsLoss.
  kMean,
  // The mean over the links plus that over the others, of -log(sigmoid(x) + 1e-15) and
  // -log(1 - sigmoid(x) + 1e-15): GAE.recon_loss of PyTorch Geometric, and OGB's examples. The sum
  // is of one part where the other has no pair. Taken as in exact arithmetic: a library that rounds
  // sigmoid(x) to 1 in float has a gradient of 0 from x = 17 on, where here it fades until x = 35.
  kMeansOfBoth,
};

struct PairLossValue {
  double loss = 0;
  bool finite = true;  // false if any score is NaN or infinite
};

// scores: one logit a pair. links: 1 where the pair is a link, 0 where not. grad: of the same size,
// or empty if it is not wanted. The loss of no pairs is 0. Sums are taken over blocks that depend
// on the size alone: the bits depend neither on threads nor on the width of vectors.
PairLossValue pair_loss(Threads threads, PairLossForm form, std::span<const float> scores,
                        std::span<const float> links, std::span<float> grad);

}  // namespace cupel::kernels
