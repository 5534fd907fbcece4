// The rule that every model of a protocol is trained by. Plain data: protocol files fill it.
#pragma once

#include <string>

namespace cupel {

// How models are trained and which parameters are kept. The same for every model of a protocol.
struct TrainRule {
  int max_epochs = 100'000;
  int patience = 50;                      // epochs without improvement before training stops
  std::string stop_on = "valid-loss";     // "valid-loss" (with the L2 term) or "valid-accuracy"
  bool ties_improve = true;               // an equal value counts as an improvement
  std::string on_divergence = "restore";  // "restore": stop after `patience` and keep the best
                                          // parameters so far (the initial ones if none); "fail":
                                          // the run has no score
  // Canonical text for run identities.
  [[nodiscard]] std::string identity() const;
};

}  // namespace cupel
