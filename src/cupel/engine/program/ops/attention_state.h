// What attention keeps from forward to backward.
#pragma once

#include "cupel/engine/program/op.h"

namespace cupel {

// The `stats` of kernels/attention.h: 2 heads x rows.
struct AttentionState : OpState {
  AttentionState(Index heads, Index rows) : stats(2 * heads, rows) {}
  DenseView view() { return cupel::view(stats); }

  Matrix stats;
};

}  // namespace cupel
