// What a number of a split, a label or a score is of.
#pragma once

#include <cstdint>

#include "cupel/data/dataset.h"

namespace cupel {

enum class Unit : std::uint8_t { kNode, kGraph, kPair, kFact };

// As messages and files say it: "node", "graph", "pair", "fact".
[[nodiscard]] constexpr const char* unit_name(Unit unit) {
  return unit == Unit::kNode    ? "node"
         : unit == Unit::kGraph ? "graph"
         : unit == Unit::kPair  ? "pair"
                                : "fact";
}

// Of the data set's examples: nodes of one graph, graphs of a set, or facts.
[[nodiscard]] inline Unit example_unit(const Dataset& dataset) {
  return dataset.graphs ? Unit::kGraph : dataset.facts ? Unit::kFact : Unit::kNode;
}

}  // namespace cupel
