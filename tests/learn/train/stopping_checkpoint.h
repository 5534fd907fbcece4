// A checkpoint that stops whom it belongs to: what interrupts a training between two epochs.
#pragma once

#include <atomic>
#include <string>

#include "cupel/base/checkpoint.h"

namespace cupel {

// Puts down in memory whenever asked, and stops who put down so many times.
struct StoppingCheckpoint final : Checkpoint {
  std::string take_up() override { return state; }
  bool due() const override { return true; }
  void put_down(std::span<const StateBytes> parts) override {
    state.clear();
    for (const StateBytes part : parts)
      state.append(reinterpret_cast<const char*>(part.data()), part.size());
    if (++times == stop_after) stop = true;
  }

  std::string state;
  int times = 0, stop_after = 0;  // 0: never
  std::atomic<bool> stop = false;
};

}  // namespace cupel
