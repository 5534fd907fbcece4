// How far a training by epochs is: all that it needs to go on as if it had never been stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cupel/base/checkpoint.h"
#include "cupel/engine/nn/adam.h"
#include "cupel/engine/program/parameters.h"

namespace cupel {

struct EpochState {
  std::int64_t epochs = 0;           // done
  std::int64_t steps = 0;            // of the optimiser, in all of them
  std::int64_t waited = 0;           // epochs since the best one
  double best = -1;                  // score of validation
  std::optional<ParameterSet> kept;  // values of the best epoch, shaped as the first of `values`
};

// At the end of an epoch: puts all of it down, where there is a checkpoint and it is due.
void put_down(Checkpoint* checkpoint, EpochState& state, std::span<ParameterSet* const> values,
              Adam& adam);

// Before the first epoch: takes up what put_down() left for parameters of these shapes. False, and
// nothing changed, where there is none.
[[nodiscard]] bool take_up(Checkpoint* checkpoint, EpochState& state,
                           std::span<ParameterSet* const> values, Adam& adam);

}  // namespace cupel
