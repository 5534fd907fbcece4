// What comes of one run of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cupel/base/matrix.h"

namespace cupel {

enum class TrialStatus : std::uint8_t { kOk, kDiverged, kTimeout };

struct TrialOutcome {
  TrialStatus status = TrialStatus::kOk;
  std::string message;    // why it is not kOk
  int epochs = 0;         // epochs trained
  int best_epoch = -1;    // epoch whose parameters were kept; -1: the initial ones
  double valid_loss = 0;  // at the kept parameters; with the penalty of L2 unless the rule stops on
                          // "valid-loss"
  double valid_score = 0;
  std::string metric;                 // the form of the metric that scores are judged by (model.h)
  bool scored = false;                // the scores of the test part were given
  std::optional<Matrix> test_scores;  // those scores, if nobody else took them
};

}  // namespace cupel
