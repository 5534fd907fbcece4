// What the scores of one query's answers, and of others, are worth.
#pragma once

#include <cstdint>
#include <span>

namespace cupel {

enum class FactLoss : std::uint8_t {
  // Cross-entropy of the softmax over all entities, an answer at a time: Lacroix et al., "Canonical
  // Tensor Decomposition for Knowledge Base Completion", ICML 2018, section 5. Others that were
  // drawn stand for those that were not.
  kCrossEntropy,
  // -log sigmoid(s + margin) of an answer, and the mean of -log sigmoid(-s - margin) over others:
  // Sun et al., "RotatE", ICLR 2019, equation 5.
  kLogistic,
  // The mean over others of max(0, margin - s(answer) + s(other)): Bordes et al. 2013, equation 1.
  kMargin,
};

struct RowLoss {
  FactLoss loss = FactLoss::kCrossEntropy;
  double margin = 0;

  // Returns the loss, summed over the answers as often as each stands there, and replaces scores by
  // gradients. others: scores of entities that are no answers; those at minus infinity do not
  // count, and get 0. stand_for: how many entities the others stand for.
  double operator()(std::span<float> answers, std::span<const float> counts,
                    std::span<float> others, double stand_for) const;
};

}  // namespace cupel
