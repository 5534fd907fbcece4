// What a run is likely to cost, from the protocol and the data alone.
#pragma once

#include <cstdint>

#include "cupel/lab/plan/plan.h"

namespace cupel {

// Multiply-adds of a run in millions, at least 1: good to a factor of ten. The model is 200 epochs
// (all of them where nothing stops early; 50 iterations of a model without training), each touching
// every feature entry, and every arc in each layer, once for each hidden unit (64 if the model does
// not say); and in each layer, of a model that has them as a setting, ten products of
// nodes x hidden x hidden, which run 50 times as fast. Of facts over time: each is held against a
// tenth of the entities, where they are ranked; a model with epochs of its own has, for each fact
// of each of them, 18 products of entities x width where they are ranked, and else 12 of
// neighbours x width x width. Whole numbers throughout: every machine comes to the same.
[[nodiscard]] std::uint64_t rough_work(const Family& family);

// The same as seconds, at 1e9 multiply-adds a second.
[[nodiscard]] inline double rough_seconds(const Family& family) {
  return static_cast<double>(rough_work(family)) / 1e3;
}

}  // namespace cupel
