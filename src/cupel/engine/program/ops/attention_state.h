// What attention keeps from forward to backward.
#pragma once

#include "cupel/engine/program/op.h"

namespace cupel {

// The `stats` of kernels/attention.h: 2 heads x rows.
struct AttentionState : OpState {
  AttentionState(Index heads, Index rows) : stats(2 * heads, rows) {}
  DenseView view() { return cupel::view(stats); }
  static std::size_t bytes(Index heads, Index rows) {
    return 2 * sizeof(float) * static_cast<std::size_t>(heads) * static_cast<std::size_t>(rows);
  }

  Matrix stats;
};

}  // namespace cupel
