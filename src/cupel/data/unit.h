// What a number of a split, a label or a score is of.
#pragma once

#include <cstdint>

#include "cupel/data/dataset.h"

namespace cupel {

enum class Unit : std::uint8_t { kNode, kGraph, kPair };

// As messages and files say it: "node", "graph", "pair".
[[nodiscard]] constexpr const char* unit_name(Unit unit) {
  return unit == Unit::kNode ? "node" : unit == Unit::kGraph ? "graph" : "pair";
}

// Of the data set's examples: nodes of one graph, or graphs of a set.
[[nodiscard]] inline Unit example_unit(const Dataset& dataset) {
  return dataset.graphs ? Unit::kGraph : Unit::kNode;
}

}  // namespace cupel
